/** The tables of the forum. The common records are made once. */
import { type Tables, tablesOver } from "../../store.js";
import type { ForumBase } from "./rows.js";
import { seedForum } from "./seed/seed.js";

export type ForumTables = Tables<ForumBase>;

let base: ForumBase | undefined;

/** The common records, made once. */
export function forumBase(): ForumBase {
  base ??= seedForum();
  return base;
}

export function openForum(): ForumTables {
  return tablesOver("forum", forumBase());
}
