/**
 * Pages of the list of episodes over HTTP, with their states, from a large log in SQLite and in PostgreSQL. Each query is
 * asked in turns with a request that reads nothing, which is the baseline.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PostgresServer, postgresFolder } from "../support/postgres.js";
import { root, scratchDir, startGym } from "../support/server-process.js";
import { fillLog } from "./filled-log.js";
import { type BenchResult, median } from "./report.js";

export interface ListsOptions {
  episodes: number;
  rounds: number;
}

/** Queries of the table of episodes. */
const queries: Record<string, string> = {
  "newest first": "",
  "solved ones": "&outcome=solved",
  "running ones, which are rare": "&outcome=running",
  "by return": "&order=highest",
  "failed ones by steps": "&order=longest&outcome=failed",
  "a rare environment": "&environment=sciworld",
  "a run": "&run=run%203",
  "a tag": "&tag=odd",
  "a text": "&text=seed%20777",
  "words of goals": "&text=planks%20acacia",
  "words that no goal has": "&text=nowhere",
};
const pageSize = 100;

export async function lists({ episodes, rounds }: ListsOptions): Promise<BenchResult[]> {
  const { path: folder, remove } = scratchDir();
  try {
    const dataDir = join(folder, "sqlite");
    mkdirSync(dataDir, { mode: 0o700 });
    const log = join(dataDir, "episodes.db");
    fillLog(log, episodes);
    const results = await measure("SQLite", { dataDir }, rounds);
    if (postgresFolder === null) return results;
    const server = await PostgresServer.startFor({ fsync: "off" });
    try {
      const url = await server.createDatabase();
      execFileSync("node", ["dist/server/program/cli.js", "log", "copy", log, url], { cwd: root, stdio: "ignore" });
      const env = { PALESTRA_LOG_URL: url };
      return [...results, ...(await measure("PostgreSQL", { dataDir: join(folder, "postgres"), env }, rounds))];
    } finally {
      await server.remove();
    }
  } finally {
    remove();
  }
}

type Place = { dataDir: string; env?: Record<string, string> };

async function measure(name: string, place: Place, rounds: number): Promise<BenchResult[]> {
  const gym = await startGym({ showErrors: true, ...place });
  try {
    const results: BenchResult[] = [];
    for (const [what, query] of Object.entries(queries)) {
      const url = `${gym.url}/v1/episodes?detail=state&limit=${pageSize}${query}`;
      const [pages, floors]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        pages.push(await took(url));
        floors.push(await took(`${gym.url}/livez`));
      }
      const target = { target: "< 100", isTargetOfValue: true };
      const value = median(pages);
      results.push({ name: `${name}: ${what}`, value, unit: "ms", baseline: median(floors), ...target });
    }
    return results;
  } finally {
    await gym.process.kill();
  }
}

/** Returns the milliseconds of a request. */
async function took(url: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`expected status 200 of ${url}, but received ${response.status}: ${text}`);
  return performance.now() - begun;
}
