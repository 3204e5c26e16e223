/** Tables of the code forge, which has projects, issues and merge requests. */
import { type Row, type Rows, rowsOf, type Tables, tablesOver } from "../../store.js";
import type * as records from "./records.js";
import { seedForge } from "./seed/forge.js";

export interface ForgeBase extends Record<string, Rows<Row>> {
  sessions: Rows<records.Session>;
  users: Rows<records.User>;
  follows: Rows<records.Follow>;
  groups: Rows<records.Group>;
  projects: Rows<records.Project>;
  members: Rows<records.Member>;
  stars: Rows<records.Star>;
  labels: Rows<records.Label>;
  milestones: Rows<records.Milestone>;
  issues: Rows<records.Issue>;
  merges: Rows<records.MergeRequest>;
  notes: Rows<records.Note>;
  blobs: Rows<records.Blob>;
  branches: Rows<records.Branch>;
  commits: Rows<records.Commit>;
  todos: Rows<records.Todo>;
}

export type ForgeTables = Tables<ForgeBase>;

/** Session cookie for tasks in which the agent is already logged in, as byteblaze. */
export const login = { name: "_forge_session", value: "f3b1c08e7d2a4956b8c0e1d4a7f29635" };

let base: ForgeBase | undefined;

/** Returns the common records, which are created on the first call. */
export function forgeBase(): ForgeBase {
  base ??= made();
  return base;
}

function made(): ForgeBase {
  const seeded = seedForge();
  return {
    sessions: rowsOf<records.Session>([{ id: 1, token: login.value, account: 1 }]),
    users: rowsOf(seeded.users),
    follows: rowsOf(seeded.follows),
    groups: rowsOf(seeded.groups),
    projects: rowsOf(seeded.projects),
    members: rowsOf(seeded.members),
    stars: rowsOf(seeded.stars),
    labels: rowsOf(seeded.labels),
    milestones: rowsOf(seeded.milestones),
    issues: rowsOf(seeded.issues),
    merges: rowsOf(seeded.merges),
    notes: rowsOf(seeded.notes),
    blobs: rowsOf(seeded.blobs),
    branches: rowsOf(seeded.branches),
    commits: rowsOf(seeded.commits),
    todos: rowsOf(seeded.todos),
  };
}

export function openForge(): ForgeTables {
  return tablesOver("forge", forgeBase());
}
