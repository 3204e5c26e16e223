import type { EpisodeEnd, Verdict } from "../env.js";
import { LimitReached } from "../shared/sqlite/program.js";
import { brief, counted, span } from "../shared/verdicts/words.js";
import type { EnginePool } from "./engine/pool.js";
import type { Sql } from "./env.js";

/** Number of rows of a result that a sentence shows. */
const mostRows = 3;

/** States the rows of the submitted query and of the gold query on the database that the agent has seen. */
export async function verdict(
  pool: EnginePool,
  { task, submitted }: Sql,
  end: EpisodeEnd,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!task) return { why: "No question was set." };
  const { question, gold } = task.problem;
  const goal = brief(question, 500);
  const rowsOf = async (sql: string) => {
    try {
      const [database] = task.databases;
      const answer = await pool.ask(
        { op: "query", database: database as NonNullable<typeof database>, sql, rows: mostRows },
        signal,
      );
      return answer.kind === "rows" ? shown(answer.text, answer.rows) : undefined;
    } catch (error) {
      if (error instanceof LimitReached) return undefined;
      throw error;
    }
  };
  const wanted = (await rowsOf(gold)) ?? "the rows of the gold query";
  const result = { goal, expected: gold };
  if (submitted === undefined) return { ...result, why: `Submitted no query ${span(end)}; expected ${wanted}.` };
  if (end.solved) return { ...result, why: `Submitted a query with the right rows ${span(end)}: ${wanted}.` };
  const { sql, why } = submitted;
  const received = await rowsOf(sql);
  if (received === undefined || received === wanted)
    return { ...result, why: `${reason(why)}; the right rows are ${wanted}.` };
  return { ...result, why: `Submitted a query with ${received}, expected ${wanted}.` };
}

function reason(why: string): string {
  return `Submitted a query with the wrong rows: ${brief(why.replace(/\.$/, ""))}`;
}

/** Returns a result such as `2 rows (Lyon | 3; Paris | 12)`. @param text columns, rows, and a line with the count */
function shown(text: string, count: number): string {
  const rows = text.split("\n").slice(1, -1);
  const more = count > rows.length ? "; …" : "";
  return count === 0 ? "no rows" : `${counted(count, "row")} (${brief(rows.join("; "))}${more})`;
}
