/**
 * Pages of the list of episodes over HTTP, with their states, from a large log in SQLite and in PostgreSQL. Each query is
 * asked in turns with a request that reads nothing, which is the baseline.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../support/episode-row.js";
import { PostgresServer, postgresFolder } from "../support/postgres.js";
import { root, scratchDir, startGym } from "../support/server-process.js";
import { type BenchResult, median } from "./report.js";

export interface ListsOptions {
  episodes: number;
  rounds: number;
}

/** Queries of the table of episodes. One in 1,000 episodes is of sciworld, and one in 10,000 has a note. */
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
const perTransaction = 10_000;
const stepsPerPage = 128;

export async function lists({ episodes, rounds }: ListsOptions): Promise<BenchResult[]> {
  const { path: folder, remove } = scratchDir();
  try {
    const dataDir = join(folder, "sqlite");
    mkdirSync(dataDir, { mode: 0o700 });
    const log = join(dataDir, "episodes.db");
    fill(log, episodes);
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

/** Writes episodes of one step each. All but one in 500 have ended. */
function fill(path: string, episodes: number): void {
  const store = new LogStore(path, "normal");
  const page = new StepPageWriter();
  for (let from = 1; from <= episodes; from += perTransaction)
    store.transaction(() => {
      for (let key = from; key < Math.min(from + perTransaction, episodes + 1); key++) {
        store.createEpisode(rowOf(key), '{"observation":"You are in a room.","info":{}}');
        const hasEnded = key % 500 !== 0;
        page.add(key, 0, "look", replyOf(hasEnded), hasEnded ? 1 : 0);
        if (key % stepsPerPage === 0) store.appendPage(page.take());
        if (hasEnded) store.mark(key, key % 3 === 0 ? "solved" : "unsolved", verdictOf(key));
        if (key % 10_000 === 0) store.mark(key, "note", '{"step":0,"tags":["odd"],"text":""}');
      }
    });
  store.transaction(() => store.appendPage(page.take()));
  store.close();
}

function rowOf(key: number) {
  return episodeRow(key, {
    id: createEpisodeId(key),
    environment: key % 1_000 === 0 ? "sciworld@1" : "textcraft@1",
    split: key % 1_000 === 0 ? "train" : "all",
    taskIndex: key % 500,
    seed: key,
    options: JSON.stringify(key % 10 === 0 ? { "@run": `run ${key % 7}` } : {}),
    owner: "local",
    createdAtMs: Date.now(),
    leaseMs: 60_000,
  });
}

function replyOf(terminated: boolean): string {
  const result = { index: 0, observation: "You see a table.", reward: 0, terminated, truncated: false, info: {} };
  return JSON.stringify(result);
}

function verdictOf(key: number): string {
  return JSON.stringify({ return: (key * 7919) % 1_000, steps: (key * 104_729) % 50, why: "The episode ended." });
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
