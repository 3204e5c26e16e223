import type { Sql } from "./env.js";

/** Looks at the schema, tries the gold query, and submits it. */
export function nextAction({ task, past }: Pick<Sql, "task" | "past">): string | null {
  if (!task) return null;
  const { gold } = task.problem;
  if (!past.has("schema")) return "schema";
  return past.has("query") ? `submit ${gold}` : `query ${gold}`;
}
