/** A log whose file is damaged, deleted, or written by an earlier version. */
import { copyFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { eventually, openGym, scratchDir, type TestGym } from "../../support/gym.js";
import { indexSteps } from "../../support/log-moments.js";
import { append, open, row } from "./store-rig.js";

const pathIn = (dataDir: string) => join(dataDir, "episodes.db");

/** Plays two episodes, closes the gym, and moves the index of all steps to the file. */
async function played(): Promise<{ gym: TestGym; ids: [string, string]; dataDir: string }> {
  const dataDir = scratchDir();
  const gym = await openGym({}, dataDir);
  const ids: string[] = [];
  for (let episode = 0; episode < 2; episode++) {
    const { episodeId } = await gym.create();
    for (let index = 0; index < 3; index++) await gym.step(episodeId, index, `get ${index} nothing`);
    ids.push(episodeId);
  }
  await gym.close();
  const store = new LogStore(pathIn(dataDir), "normal");
  indexSteps(store);
  store.close();
  return { gym, ids: ids as [string, string], dataDir };
}

/** Changes a character in the page with this step of an episode, as a flipped bit would. @returns the page */
function flip(dataDir: string, episode: number, index: number): number {
  const database = openDatabase(pathIn(dataDir));
  const where = `lines LIKE '%[${episode},${index},0,"get%'`;
  const page = database.prepare(`SELECT page FROM pages WHERE ${where}`).pluck().get() as number;
  database.prepare(`UPDATE pages SET lines = replace(lines, 'nothing', 'nothinf') WHERE page = ?`).run(page);
  database.close();
  return page;
}

describe("a damaged log", () => {
  test("fails only the episodes that need the damaged part, as a fault of the infrastructure", async () => {
    const { ids, dataDir } = await played();
    const page = flip(dataDir, 2, 2);
    const gym = await openGym({}, dataDir);
    const step = { index: 3, action: "inventory" };
    const error = await gym.refusal("step", { episodeId: ids[1], ...step });
    expect(error).toMatchObject({ code: "LOG_CORRUPT", class: "infrastructure" });
    expect(error.message).toContain(`Page ${page} of the episode log is damaged. Stop the gym, check the log`);
    expect(await gym.call("step", { episodeId: ids[0], ...step })).toMatchObject({ index: 3 });
    expect(await gym.refusal("transcript", { episodeId: ids[1] })).toMatchObject({ code: "LOG_CORRUPT" });
  });

  test("is described by a verification, with the episodes that need each damaged part", async () => {
    const { ids, dataDir } = await played();
    expect(verifyLog(pathIn(dataDir))).toMatchObject({ episodes: 2, damages: [] });
    const page = flip(dataDir, 1, 0);
    const database = openDatabase(pathIn(dataDir));
    database.exec(`UPDATE openings SET opening = opening || ' ' WHERE episode = 2`);
    database.exec(`DELETE FROM pages WHERE lines LIKE '%[2,1,0,%'`);
    database.close();
    const { damages } = verifyLog(pathIn(dataDir));
    expect(damages).toEqual([
      { part: `Page ${page}`, episodes: [ids[0]] },
      { part: "The reset result of episode 2", episodes: [ids[1]] },
      { part: expect.stringMatching(/^The index of steps 0 to 2 of episode 2$/), episodes: [ids[1]] },
    ]);
  });

  test.each([
    ["UPDATE episodes SET seed = seed + 1 WHERE key = 1", "The row of episode 1", 0],
    ["UPDATE episodes SET owner = owner || 'x' WHERE key = 2", "The row of episode 2", 1],
    ["UPDATE marks SET kind = 'closec'", "A mark of episode 1", 0],
    ["UPDATE extents SET bytes = bytes + 1 WHERE episode = 2", "The index of steps up to 2 of episode 2", 1],
    ["UPDATE handles SET owner = 'eve'", "The alias 3 of maze", null],
    ["UPDATE indexed SET upTo = upTo + 1", "The number of the last page in the index of steps", null],
  ] as const)("is refused by the start and described by a verification after `%s`", async (damage, part, episode) => {
    const { ids, dataDir } = await played();
    const store = new LogStore(pathIn(dataDir), "normal");
    store.transaction(() => {
      store.mark(1, "closed", "");
      store.setAlias({ namespace: "maze", alias: 3, owner: "ada", episodeId: ids[0] });
    });
    store.close();
    const database = openDatabase(pathIn(dataDir));
    expect(database.prepare(damage).run().changes).toBe(1);
    database.close();
    expect(verifyLog(pathIn(dataDir)).damages).toContainEqual({
      part,
      episodes: episode === null ? [] : [ids[episode]],
    });
    await expect(openGym({}, dataDir)).rejects.toMatchObject({
      code: "LOG_CORRUPT",
      message: expect.stringContaining(part),
    });
  });

  test("that lacks one of the newest steps, which no index on disk has, is found by a verification", () => {
    const { store, path } = open();
    store.transaction(() => {
      for (const key of [1, 2]) store.createEpisode(row(key), "{}");
    });
    for (let index = 0; index < 10; index++)
      store.transaction(() => {
        for (const episode of [1, 2]) append(store, episode, index);
        if (index === 4) indexSteps(store);
      });
    store.close();
    expect(verifyLog(path)).toMatchObject({ episodes: 2, damages: [] });
    const database = openDatabase(path);
    for (const [episode, index] of [
      [1, 5],
      [2, 7],
    ])
      database.prepare("DELETE FROM pages WHERE lines LIKE ?").run(`[${episode},${index},%`);
    database.close();
    expect(verifyLog(path).damages).toEqual([
      { part: "Steps 5 to 5 of episode 1, which are missing", episodes: ["ep-1"] },
      { part: "Steps 7 to 7 of episode 2, which are missing", episodes: ["ep-2"] },
    ]);
  });

  test("does not open if its newest steps are damaged, since these would be lost in silence", async () => {
    const dataDir = scratchDir();
    const gym = await openGym({}, dataDir);
    const { episodeId } = await gym.create();
    await gym.step(episodeId, 0, "get nothing");
    await gym.close();
    const page = flip(dataDir, 1, 0);
    await expect(openGym({}, dataDir)).rejects.toThrow(`Page ${page} of the episode log is damaged.`);
  });
});

test("a gym whose data directory is deleted refuses every call, and is soon not ready", async () => {
  const dataDir = scratchDir();
  const gym = await openGym({}, dataDir);
  const { episodeId } = await gym.create();
  await gym.step(episodeId, 0, "inventory");
  rmSync(dataDir, { recursive: true });
  expect(await gym.refusal("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({ code: "LOG_FAILED" });
  await eventually(async () => (await gym.app.inject("/readyz")).statusCode === 503);
  const ready = await gym.app.inject("/readyz");
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    { status: "not ready", detail: "the episode log has failed" },
  ]);
});

test("an idle gym notices that its log was replaced", async () => {
  const dataDir = scratchDir();
  const gym = await openGym({}, dataDir);
  copyFileSync(pathIn(dataDir), `${pathIn(dataDir)}.copy`);
  rmSync(pathIn(dataDir));
  copyFileSync(`${pathIn(dataDir)}.copy`, pathIn(dataDir));
  await eventually(async () => (await gym.app.inject("/readyz")).statusCode === 503);
});

test("only the user of the gym can read the log", async () => {
  const dataDir = join(scratchDir(), "data");
  await openGym({}, dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  for (const suffix of ["", "-wal"]) expect(statSync(pathIn(dataDir) + suffix).mode & 0o777).toBe(0o600);
});

test("a log of schema version 7 gets a checksum for each row", () => {
  const { store, reopen, path } = open();
  store.close();
  copyFileSync(fileURLToPath(new URL("../../fixtures/log/episodes-v7.db", import.meta.url)), path);
  const rows = reopen().listEpisodes("local", Number.MAX_SAFE_INTEGER, 9);
  expect(rows.map(({ id }) => id)).toEqual([
    "ep-3-1711125cdc0b5732cdf6",
    "ep-2-3a45f4ff1abc87c4407d",
    "ep-1-baff99fe48cd0ce3a299",
  ]);
  reopen().close();
  const database = openDatabase(path);
  for (const table of ["episodes", "marks", "handles", "extents", "indexed"]) {
    const counts = database.prepare(`SELECT count(*) AS "all", count(sum) AS summed FROM ${table}`).get();
    const { all, summed } = counts as { all: number; summed: number };
    expect([all, summed], table).toEqual([expect.toBeOneOf([1, 2, 3, 4]), all]);
  }
  database.close();
  expect(verifyLog(path)).toMatchObject({ episodes: 3, damages: [] });
});

test.each([
  [3, "ep-1-2b3e5c9168b58a86b83b", "ep-2-04ca35379a3f12069c25", 2],
  [4, "ep-1-24525573a6eefebfc375", "ep-3-41431373540e21b35301", 3],
  [5, "ep-1-631a66316515f69f1dee", "ep-3-646bb86a0fe69a91e22f", 3],
])("a log of schema version %i is migrated to the current version, and its episodes continue", async (...log) => {
  const [version, original, fork, episodes] = log;
  const dataDir = scratchDir();
  const recorded = new URL(`../../fixtures/log/episodes-v${version}.db`, import.meta.url);
  copyFileSync(fileURLToPath(recorded), pathIn(dataDir));
  const gym = await openGym({}, dataDir);
  expect((await gym.call("transcript", { episodeId: original })).steps).toHaveLength(5);
  const before = Date.now();
  expect(await gym.call("step", { episodeId: fork, index: 6, action: "inventory" })).toMatchObject({ index: 6 });
  const times = (await gym.call("transcript", { episodeId: fork })).steps.map(({ atMs }) => atMs);
  expect(times).toEqual([...Array(6).fill(null), expect.any(Number)]);
  expect(times[6]).toBeGreaterThanOrEqual(before);
  await gym.close();
  expect(verifyLog(pathIn(dataDir))).toMatchObject({ episodes, damages: [] });
});
