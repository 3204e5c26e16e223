/** The row types of the code forge. Times are in milliseconds since the epoch. References are ids. */
import type { Row } from "../../store.js";

export interface Session extends Row {
  /** Value of the visitor's session cookie. */
  token: string;
  /** Id of the logged-in account. */
  account: number;
}

export interface User extends Row {
  username: string;
  name: string;
  email: string;
  password: string;
  joined: number;
  bio: string;
  location: string;
  job: string;
  organization: string;
  /** URL of the user's home page, or `""`. */
  website: string;
  status: { emoji: string; message: string; isBusy: boolean };
}

export interface Group extends Row {
  path: string;
  name: string;
  description: string;
  visibility: Visibility;
  created: number;
}

export const visibilities = ["private", "internal", "public"] as const;
export type Visibility = (typeof visibilities)[number];

export interface Project extends Row {
  /** Path of the user or group that owns the project. */
  namespace: string;
  path: string;
  name: string;
  description: string;
  visibility: Visibility;
  language: string;
  topics: readonly string[];
  created: number;
  updated: number;
  /** Name of the default branch, or undefined for an empty repository. */
  branch: string | undefined;
  stars: number;
  forks: number;
  forkedFrom?: number;
}

export const roles = ["Guest", "Reporter", "Developer", "Maintainer", "Owner"] as const;
export type Role = (typeof roles)[number];

/**
 * A member of a project or a group. For a member of a project, `group` is 0. For a member of a group, `project` is 0.
 */
export interface Member extends Row {
  project: number;
  group: number;
  user: number;
  role: Role;
  since: number;
}

export interface Star extends Row {
  project: number;
  user: number;
}

export interface Follow extends Row {
  follower: number;
  followed: number;
}

export interface Label extends Row {
  project: number;
  name: string;
  description: string;
  color: string;
}

export interface Milestone extends Row {
  project: number;
  iid: number;
  title: string;
  description: string;
  /** First day of the milestone, such as `2024-03-15`, or `""`. */
  start: string;
  due: string;
  state: "active" | "closed";
}

/** Fields that issues and merge requests share. */
interface Discussed extends Row {
  project: number;
  /** Number within the project. */
  iid: number;
  title: string;
  body: string;
  author: number;
  created: number;
  updated: number;
  labels: readonly number[];
  assignees: readonly number[];
  /** Id of the milestone, or 0 without a milestone. */
  milestone: number;
  upvotes: number;
}

export interface Issue extends Discussed {
  state: "opened" | "closed";
  /** Due day, such as `2024-03-15`, or `""`. */
  due: string;
}

export interface MergeRequest extends Discussed {
  state: "opened" | "merged" | "closed";
  source: string;
  target: string;
  reviewers: readonly number[];
  approvals: readonly number[];
  commits: readonly number[];
}

/** A comment, or a system note about a change. */
export interface Note extends Row {
  /** Id of the note's issue, or 0 for a note on a merge request. */
  issue: number;
  merge: number;
  author: number;
  body: string;
  created: number;
  isSystem: boolean;
}

export interface Blob extends Row {
  text: string;
}

/**
 * A branch. The field `from` names the branch from which it was created, whose older commits are also part of its log.
 */
export interface Branch extends Row {
  project: number;
  name: string;
  /** Ids of blobs, by file path. */
  tree: Readonly<Record<string, number>>;
  from?: { branch: number; until: number; lastId: number };
}

export interface FileChange {
  path: string;
  /** Id of the blob before the change, if known. */
  before?: number;
  after?: number;
}

export interface Commit extends Row {
  project: number;
  /** Names of the branches on which the commit was made or into which it was merged. */
  branches: readonly string[];
  sha: string;
  title: string;
  body: string;
  author: number;
  date: number;
  changes: readonly FileChange[];
}

export interface Todo extends Row {
  user: number;
  author: number;
  issue: number;
  merge: number;
  action: "assigned" | "mentioned" | "review_requested";
  created: number;
  state: "pending" | "done";
}
