/** Paths of the forum's pages. */
import type { Comment, Submission } from "./rows.js";
import { slugOf } from "./slug.js";
import type { ForumTables } from "./tables.js";

export function forumPath(tables: ForumTables, forum: number): string {
  return `/f/${tables.forums.need(forum).name}`;
}

export function submissionPath(tables: ForumTables, { forum, id, title }: Submission): string {
  return `${forumPath(tables, forum)}/${id}/${slugOf(title)}`;
}

export function commentPath(tables: ForumTables, { id, submission }: Comment): string {
  return `${forumPath(tables, tables.submissions.need(submission).forum)}/${submission}/-/comment/${id}`;
}

/** Returns the name of an account, even if the account was deleted. */
export function nameOf(tables: ForumTables, user: number): string | undefined {
  return tables.users.get(user)?.name;
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}
