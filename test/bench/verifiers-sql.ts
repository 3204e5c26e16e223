/**
 * Compares queries of `sql` per second with direct calls of the processes that run SQL, and with plain better-sqlite3.
 */
import { databaseOf } from "#palestra/envs/sql/engine/databases.js";
import { EnginePool } from "#palestra/envs/sql/engine/pool.js";
import type { DatabaseRef } from "#palestra/envs/sql/engine/request.js";
import { planOf, type TaskPlan } from "#palestra/envs/sql/tasks.js";
import { type HttpLoop, httpLoad } from "./load.js";
import { type BenchResult, median } from "./report.js";
import type { ServerProcess } from "./servers.js";
import { createEpisodes } from "./steps.js";

export interface SqlStepsOptions {
  rounds: number;
  seconds: number;
  /** Number of SQL processes in the pool that is called directly. */
  processes: number;
}

const connections = 32;
const signal = new AbortController().signal;
/** Name of a table that all databases of a schema have. */
const queriesOf = (table: string) => [
  `SELECT COUNT(*) FROM ${table}`,
  `SELECT * FROM ${table} LIMIT 20`,
  `SELECT * FROM ${table} ORDER BY 2 DESC, 1 LIMIT 10`,
  `SELECT a.*, b.* FROM ${table} a JOIN ${table} b ON a.rowid = b.rowid + 1 LIMIT 5`,
];

export async function sqlSteps(gym: ServerProcess, options: SqlStepsOptions): Promise<BenchResult[]> {
  const { rounds, seconds, processes } = options;
  const task = { split: "test", index: 0 };
  const { schema, seeds } = planOf(task.split, task.index) as TaskPlan;
  const database: DatabaseRef = { schema, seed: seeds[0] as number };
  const queries = queriesOf(firstTable(database));
  const episodes = await createEpisodes(gym.url, connections, { environment: "sql", task });
  const loops = episodes.map((episodeId) => stepLoop(episodeId, queries));
  const pool = new EnginePool(processes, { queryMs: 2_000, memoryMb: 256 });
  const rates: Record<"steps" | "processes" | "plain", number[]> = { steps: [], processes: [], plain: [] };
  try {
    for (let round = 0; round <= rounds; round++) {
      const steps = (await httpLoad(gym.url, loops, seconds)).rate;
      const asked = await poolRate(pool, database, queries, 2 * processes, seconds);
      const plain = plainRate(database, queries, seconds);
      if (round === 0) continue;
      rates.steps.push(steps);
      rates.processes.push(asked);
      rates.plain.push(plain);
    }
  } finally {
    pool.close();
  }
  const [steps, asked, plain] = [median(rates.steps), median(rates.processes), median(rates.plain)];
  return [
    { name: "sql query steps over HTTP / better-sqlite3", value: steps, unit: "steps/s", baseline: plain },
    { name: "sql query steps over HTTP / SQL processes alone", value: steps, unit: "steps/s", baseline: asked },
    { name: "SQL processes alone / better-sqlite3", value: asked, unit: "queries/s", baseline: plain },
  ];
}

function firstTable(database: DatabaseRef): string {
  const tables = databaseOf(database).prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return (tables.get() as { name: string }).name;
}

function stepLoop(episodeId: string, queries: readonly string[]): HttpLoop {
  let index = 0;
  return {
    path: () => `/v1/episodes/${episodeId}/step`,
    next: () => JSON.stringify({ index, action: `query ${queries[index % queries.length]}` }),
    received: (reply) => {
      const { observation } = JSON.parse(reply) as { observation: string };
      if (observation.startsWith("Error")) throw new Error(`expected rows, but received ${observation}`);
      index += 1;
    },
  };
}

async function poolRate(
  pool: EnginePool,
  database: DatabaseRef,
  queries: readonly string[],
  atOnce: number,
  seconds: number,
): Promise<number> {
  const startedAt = performance.now();
  let answered = 0;
  const ask = async () => {
    while (performance.now() - startedAt < seconds * 1_000) {
      const sql = queries[answered++ % queries.length] as string;
      await pool.ask({ op: "query", database, sql }, signal);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return (answered * 1_000) / (performance.now() - startedAt);
}

/** Runs the same SQL on the same database in this process: prepares it and reads all rows. */
function plainRate(database: DatabaseRef, queries: readonly string[], seconds: number): number {
  const opened = databaseOf(database);
  const startedAt = performance.now();
  let answered = 0;
  while (performance.now() - startedAt < seconds * 1_000)
    for (const sql of queries) {
      opened.prepare(sql).raw().all();
      answered += 1;
    }
  return (answered * 1_000) / (performance.now() - startedAt);
}
