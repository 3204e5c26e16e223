/** The row types of the forum. Times are in milliseconds since the epoch. */
import type { Row, Rows } from "../../store.js";

export interface Session extends Row {
  /** Value of the visitor's session cookie. */
  token: string;
  /** Id of the logged-in account. */
  account: number;
}

export interface User extends Row {
  name: string;
  password: string;
  created: number;
  biography: string;
}

/** A forum for submissions on one subject, with the path `/f/NAME`. */
export interface Forum extends Row {
  name: string;
  title: string;
  description: string;
  sidebar: string;
  created: number;
  /** Whether the front page shows submissions of the forum. */
  isFeatured: boolean;
  subscribers: number;
  submissions: number;
}

/** Fields of rows that users can vote on. */
interface Voted {
  up: number;
  down: number;
}

export interface Submission extends Row, Voted {
  forum: number;
  user: number;
  title: string;
  /** Linked URL, or null for a text post. */
  url: string | null;
  body: string;
  created: number;
  edited: number | null;
  comments: number;
  /** Time of the newest comment, or of the submission if it has no comments. */
  active: number;
}

export interface Comment extends Row, Voted {
  submission: number;
  /** Id of the parent comment, or null for a direct answer to the submission. */
  parent: number | null;
  user: number;
  body: string;
  created: number;
  edited: number | null;
  /** Whether the comment was deleted. A deleted comment with answers remains in the thread without its text. */
  isDeleted: boolean;
}

export type VoteKind = "submission" | "comment";

export interface Vote extends Row {
  user: number;
  kind: VoteKind;
  target: number;
  choice: 1 | -1;
}

/** A moderator or subscriber of a forum. */
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
  /** Id of the comment that answers the user's post or comment. */
  comment: number;
}

export function scoreOf({ up, down }: Voted): number {
  return up - down;
}

/** The common rows of the forum's tables, by table name. */
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
