/** The tables of the forum. */
import { type Tables, tablesOver } from "../../store.js";
import type { ForumBase } from "./rows.js";
import { seedForum } from "./seed/seed.js";

export type ForumTables = Tables<ForumBase>;

let base: ForumBase | undefined;

/** Returns the common records, which are created on the first call. */
export function forumBase(): ForumBase {
  base ??= seedForum();
  return base;
}

export function openForum(): ForumTables {
  return tablesOver("forum", forumBase());
}
