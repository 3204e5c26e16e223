/** The records of the forum. Times are milliseconds since the epoch. */
import type { Row, Rows } from "../../store.js";

export interface Session extends Row {
  /** Value of the visitor's cookie. */
  token: string;
  /** Account that is logged in. */
  account: number;
}

export interface User extends Row {
  name: string;
  password: string;
  created: number;
  biography: string;
}

/** A place for submissions on one subject, at `/f/NAME`. */
export interface Forum extends Row {
  name: string;
  title: string;
  description: string;
  sidebar: string;
  created: number;
  /** Whether its submissions show on the front page. */
  isFeatured: boolean;
  subscribers: number;
  submissions: number;
}

/** A kind of row that can be voted on. */
interface Voted {
  up: number;
  down: number;
}

export interface Submission extends Row, Voted {
  forum: number;
  user: number;
  title: string;
  /** Address of what it links to; null for a text alone. */
  url: string | null;
  body: string;
  created: number;
  edited: number | null;
  comments: number;
  /** Time of its newest comment, or its own. */
  active: number;
}

export interface Comment extends Row, Voted {
  submission: number;
  /** The comment that it answers; null for one that answers the submission. */
  parent: number | null;
  user: number;
  body: string;
  created: number;
  edited: number | null;
  /** A comment that was deleted while it had answers stays as a gap in the thread. */
  isDeleted: boolean;
}

export type VoteKind = "submission" | "comment";

export interface Vote extends Row {
  user: number;
  kind: VoteKind;
  target: number;
  choice: 1 | -1;
}

/** A user of a forum: one of its moderators, or one of its subscribers. */
export interface Member extends Row {
  forum: number;
  user: number;
}

export interface Block extends Row {
  user: number;
  blocked: number;
}

export interface Message extends Row {
  from: number;
  to: number;
  body: string;
  created: number;
}

export interface Notification extends Row {
  user: number;
  /** The comment that answers something of the user's. */
  comment: number;
}

export function scoreOf({ up, down }: Voted): number {
  return up - down;
}

/** The forum's tables by name. */
export interface ForumBase extends Record<string, Rows<Row>> {
  sessions: Rows<Session>;
  users: Rows<User>;
  forums: Rows<Forum>;
  moderators: Rows<Member>;
  subscriptions: Rows<Member>;
  submissions: Rows<Submission>;
  comments: Rows<Comment>;
  votes: Rows<Vote>;
  blocks: Rows<Block>;
  messages: Rows<Message>;
  notifications: Rows<Notification>;
}
