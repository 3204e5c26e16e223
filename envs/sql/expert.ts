import type { Sql } from "./env.js";

/** Returns the expert's next action. The expert reads the schema, runs the gold query, and then submits it. */
export function nextAction({ task, past }: Pick<Sql, "task" | "past">): string | null {
  if (!task) return null;
  const { gold } = task.problem;
  if (!past.has("schema")) return "schema";
  return past.has("query") ? `submit ${gold}` : `query ${gold}`;
}
