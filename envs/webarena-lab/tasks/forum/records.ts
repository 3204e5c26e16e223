/** Queries of the forum's seeded records, and steps that open the pages of records. */
import { click, type PlanStep } from "../../plan.js";
import type { Random } from "../../seed/random.js";
import { submissionPath } from "../../sites/forum/addresses.js";
import { type Range, ranges, ranked, type Sort, sorts } from "../../sites/forum/ranking.js";
import { type Comment, type Forum, type Submission, scoreOf, type User } from "../../sites/forum/rows.js";
import { type ForumTables, forumBase, openForum } from "../../sites/forum/tables.js";

export const site = "__REDDIT__";
/** Id of the agent's account. */
export const own = 1;

/** Time ranges, by their names in intents. */
export const spans: Readonly<Record<string, Range>> = {
  "past week": "week",
  "past month": "month",
  "past year": "year",
};

/** Number of entries on the first page of a list. */
export const firstPage = 25;

export function forums(): Forum[] {
  return [...forumBase().forums.values()];
}

export function forumNamed(name: string): Forum {
  return forums().find((forum) => forum.name === name) as Forum;
}

export function forumOf({ forum }: Submission): Forum {
  return forumBase().forums.get(forum) as Forum;
}

export function userOf({ user }: { user: number }): User {
  return forumBase().users.get(user) as User;
}

export function submissionsIn(forum: Forum, sort: Sort, range: Range = "all"): Submission[] {
  return ranked(
    [...forumBase().submissions.values()].filter((one) => one.forum === forum.id),
    sort,
    range,
  );
}

let byThread: ReadonlyMap<number, readonly Comment[]> | undefined;

/** Returns the comments of a thread, oldest first. */
export function commentsOn({ id }: Submission): readonly Comment[] {
  if (!byThread) {
    const threads = new Map<number, Comment[]>();
    for (const comment of forumBase().comments.values()) {
      const thread = threads.get(comment.submission);
      if (thread) thread.push(comment);
      else threads.set(comment.submission, [comment]);
    }
    byThread = threads;
  }
  return byThread.get(id) ?? [];
}

export function commentsBy(user: number): Comment[] {
  return [...forumBase().comments.values()].filter((one) => one.user === user);
}

export function submissionsBy(user: number): Submission[] {
  return [...forumBase().submissions.values()].filter((one) => one.user === user).reverse();
}

/** Returns the forums that a user moderates. */
export function moderatedBy(user: number): Forum[] {
  const ids = [...forumBase().moderators.values()].filter((one) => one.user === user).map(({ forum }) => forum);
  return ids.map((id) => forumBase().forums.get(id) as Forum);
}

/** Whether the order of the first `count` items is unambiguous: each sort key differs from the next one. */
export function areApart<T>(items: readonly T[], count: number, keyOf: (item: T) => number): boolean {
  return items.slice(0, count).every((item, at) => at + 1 >= items.length || keyOf(item) !== keyOf(items[at + 1] as T));
}

/** Whether a title has no character that the observation would escape. */
export function isPlain({ title }: Submission): boolean {
  return !/["\\]/.test(title);
}

export function isTitledAlone(submission: Submission): boolean {
  const { title } = submission;
  const others = [...forumBase().submissions.values()].filter((one) => one.title.includes(title));
  return isPlain(submission) && others.length === 1;
}

let tables: ForumTables | undefined;

/** Returns the path of a submission's page. */
export function pathOf(submission: Submission): string {
  tables ??= openForum();
  return submissionPath(tables, submission);
}

/** Returns the path of a comment's page. */
export function pathTo({ id, submission }: Comment): string {
  const post = forumBase().submissions.get(submission) as Submission;
  return `/f/${forumOf(post).name}/${submission}/-/comment/${id}`;
}

/** Draws a submission with `low` to `high` comments. Returns undefined if its title is not unique. */
export function drawThread(random: Random, low: number, high: number): Submission | undefined {
  const all = [...forumBase().submissions.values()];
  const post = random.choice(all.filter(({ comments }) => comments >= low && comments <= high));
  return isTitledAlone(post) ? post : undefined;
}

export function bestFirst(comments: readonly Comment[]): Comment[] {
  return [...comments].sort((one, other) => scoreOf(other) - scoreOf(one));
}

/** Returns the steps from the front page to a forum, through the sidebar or the list of all forums. */
export function toForum({ name, isFeatured }: Forum): PlanStep[] {
  if (isFeatured) return [click("link", name)];
  const at = forums()
    .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
    .findIndex((one) => one.name === name);
  return [click("link", "Forums"), ...(at >= firstPage ? [click("link", "More")] : []), click("link", name)];
}

/** Returns the steps from the front page to the sorted list of a forum's submissions. */
export function toList(forum: Forum, sort: Sort, range?: Range): PlanStep[] {
  return [
    ...toForum(forum),
    ...(sort === "hot" ? [] : [click("link", sorts[sort])]),
    ...(range && range !== "all" ? [click("link", ranges[range])] : []),
  ];
}

/** Returns the steps from the front page to a thread. The steps search for the thread's title. */
export function toThread({ title }: Submission): PlanStep[] {
  return [
    { kind: "type", target: { role: "searchbox", name: "Search query" }, text: title, isEntered: true },
    click("link", title),
  ];
}

export const back: PlanStep = { kind: "action", action: "go_back" };
