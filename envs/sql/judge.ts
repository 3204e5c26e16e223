/** Decides whether SQL answers a question. */
import { LimitReached } from "../shared/sqlite/program.js";
import type { Comparison } from "../shared/sqlite/request.js";
import type { EnginePool } from "./engine/pool.js";
import type { SqlTask } from "./tasks.js";

/**
 * Compares the results of the submitted query and the gold query on each database in turn, and stops at the first
 * difference.
 *
 * @throws {ServiceFailed} a comparison failed
 * @throws the signal's reason
 */
export async function judge(
  pool: EnginePool,
  { problem, databases }: SqlTask,
  sql: string,
  signal: AbortSignal,
): Promise<Comparison> {
  const { gold, ordered } = problem;
  for (const [at, database] of databases.entries()) {
    const result = await compared(pool, { op: "compare", database, gold, sql, ordered }, signal);
    if (result.equal) continue;
    return at === 0 ? result : { equal: false, why: `on another database with other rows: ${result.why}` };
  }
  return { equal: true };
}

async function compared(
  pool: EnginePool,
  request: Parameters<EnginePool["ask"]>[0] & { op: "compare" },
  signal: AbortSignal,
): Promise<Comparison> {
  try {
    return await pool.ask(request, signal);
  } catch (error) {
    if (error instanceof LimitReached) return { equal: false, why: error.message.replace(/^Error: /, "") };
    throw error;
  }
}
