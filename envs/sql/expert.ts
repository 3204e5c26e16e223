import type { Sql } from "./env.js";

/** Returns the next action of the expert, which looks at the schema, runs the gold query and submits the query. */
export function nextAction({ task, past }: Pick<Sql, "task" | "past">): string | null {
  if (!task) return null;
  const { gold } = task.problem;
  if (!past.has("schema")) return "schema";
  return past.has("query") ? `submit ${gold}` : `query ${gold}`;
}
