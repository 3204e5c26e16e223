/**
 * Searches, filters and sorts lists of issues and merge requests. The query parameters of the page are the criteria.
 */
import { rowsBy } from "./indexed.js";
import type { Issue, MergeRequest, Note } from "./records.js";
import type { ForgeTables } from "./tables.js";

export type Discussed = Issue | MergeRequest;

export const orders = [
  { value: "created_date", text: "Created date, newest first" },
  { value: "created_asc", text: "Created date, oldest first" },
  { value: "updated_desc", text: "Updated date, newest first" },
  { value: "updated_asc", text: "Updated date, oldest first" },
  { value: "popularity", text: "Popularity" },
  { value: "due_date", text: "Due date" },
  { value: "title_asc", text: "Title" },
] as const;

/** Names of states in the URLs of pages. */
export const states = ["opened", "merged", "closed", "all"] as const;

/** Returns the rows that match the query parameters, regardless of their state. */
export function filtered<D extends Discussed>(forge: ForgeTables, rows: readonly D[], query: URLSearchParams): D[] {
  const search = (query.get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const labels = query.getAll("label_name[]").filter(Boolean);
  const tests = [
    userTest(forge, query.get("author_username"), ({ author }) => [author]),
    userTest(forge, query.get("assignee_username"), ({ assignees }) => assignees),
    userTest(forge, query.get("reviewer_username"), (row) => ("reviewers" in row ? row.reviewers : [])),
    milestoneTest(forge, query.get("milestone_title")),
    ...labels.map((label) => labelTest(forge, label)),
  ].filter((one) => one !== undefined);
  return rows.filter((row) => tests.every((fits) => fits(row)) && hasWords(row, search));
}

type Test = (row: Discussed) => boolean;

function hasWords({ title, body }: Discussed, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${title}\n${body}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function userTest(
  forge: ForgeTables,
  name: string | null,
  idsOf: (row: Discussed) => readonly number[],
): Test | undefined {
  if (!name) return undefined;
  if (name === "None") return (row) => idsOf(row).length === 0;
  if (name === "Any") return (row) => idsOf(row).length > 0;
  const id = forge.users.find(({ username }) => username === name)?.id;
  return (row) => id !== undefined && idsOf(row).includes(id);
}

function labelTest(forge: ForgeTables, label: string): Test {
  if (label === "None") return ({ labels }) => labels.length === 0;
  if (label === "Any") return ({ labels }) => labels.length > 0;
  const ids = new Set(forge.labels.filter(({ name }) => name === label).map(({ id }) => id));
  return ({ labels }) => labels.some((id) => ids.has(id));
}

function milestoneTest(forge: ForgeTables, title: string | null): Test | undefined {
  if (!title) return undefined;
  if (title === "None") return ({ milestone }) => milestone === 0;
  if (title === "Any") return ({ milestone }) => milestone !== 0;
  const ids = new Set(forge.milestones.filter((one) => one.title === title).map(({ id }) => id));
  return ({ milestone }) => ids.has(milestone);
}

export function sorted<D extends Discussed>(rows: readonly D[], order: string | null): D[] {
  return [...rows].sort((one, other) => compare(one, other, order) || other.id - one.id);
}

function compare(one: Discussed, other: Discussed, order: string | null): number {
  switch (order) {
    case "created_asc":
      return one.created - other.created || one.id - other.id;
    case "updated_desc":
      return other.updated - one.updated;
    case "updated_asc":
      return one.updated - other.updated;
    case "popularity":
      return other.upvotes - one.upvotes;
    case "due_date":
      return dueOf(one) < dueOf(other) ? -1 : dueOf(one) > dueOf(other) ? 1 : 0;
    case "title_asc":
      return one.title < other.title ? -1 : one.title > other.title ? 1 : 0;
    default:
      return other.created - one.created;
  }
}

function dueOf(row: Discussed): string {
  return ("due" in row && row.due) || "9999";
}

/** Returns the rows in one state, or all rows for `all`. The default state is `opened`. */
export function inState<D extends Discussed>(rows: readonly D[], state: string | null): D[] {
  if (state === "all") return [...rows];
  const wanted = state === "closed" || state === "merged" ? state : "opened";
  return rows.filter((row) => row.state === wanted);
}

export function notesOf(forge: ForgeTables, row: Discussed): Note[] {
  return rowsBy(forge, "notes", "source" in row ? "merge" : "issue", row.id);
}

/** Returns the number of comments on an issue or merge request. System notes do not count. */
export function commentCount(forge: ForgeTables, row: Discussed): number {
  return notesOf(forge, row).filter(({ isSystem }) => !isSystem).length;
}
