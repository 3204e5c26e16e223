/** Times of logged steps: each commit stores one, and all readers of steps return it. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import { backUpLog } from "#palestra/server/log/repair/backup.js";
import { repairLog } from "#palestra/server/log/repair/repair.js";
import type { LogStore } from "#palestra/server/log/sqlite/store.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { scratchDir } from "../../support/gym.js";
import { indexSteps } from "../../support/log-moments.js";
import { append, open, row } from "./store-rig.js";

const start = Date.parse("2026-01-02T03:04:05.678Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  onTestFinished(() => void vi.useRealTimers());
});

/** Appends one step of an episode at a time. */
function stepAt(store: LogStore, atMs: number, episode: number, index: number): void {
  vi.setSystemTime(atMs);
  store.transaction(() => append(store, episode, index));
}

function timesOf(store: LogStore, episode: number): (number | null)[] {
  return store.readSteps(episode, 0, 100).map(({ atMs }) => atMs);
}

/** Opens a log with two episodes of three steps each. */
function played(): ReturnType<typeof open> {
  const opened = open();
  const { store } = opened;
  store.transaction(() => {
    for (const key of [1, 2]) store.createEpisode(row(key, { id: createEpisodeId(key) }), "{}");
  });
  for (const index of [0, 1, 2])
    for (const episode of [1, 2]) stepAt(store, start + 1_000 * index + 10 * episode, episode, index);
  return opened;
}

const times = (episode: number) => [0, 1, 2].map((index) => start + 1_000 * index + 10 * episode);

describe("a step's time", () => {
  test("is that of its commit, in memory, in the index on disk and after a restart", () => {
    const { store, reopen } = played();
    const expectTimes = (log: LogStore) => expect([timesOf(log, 1), timesOf(log, 2)]).toEqual([times(1), times(2)]);
    expectTimes(store);
    expect(store.findEpisode(1)?.last?.atMs).toBe(times(1)[2]);
    store.transaction(() => indexSteps(store));
    expectTimes(store);
    expectTimes(reopen());
  });

  test("is the same for all steps of a commit", () => {
    const { store } = played();
    vi.setSystemTime(start + 60_000);
    store.transaction(() => {
      append(store, 1, 3);
      vi.setSystemTime(start + 61_000);
      append(store, 1, 4);
    });
    expect(timesOf(store, 1).slice(3)).toEqual([start + 60_000, start + 60_000]);
  });

  test("is the time of the clock, even if the clock went backwards", () => {
    const { store, reopen } = played();
    stepAt(store, start - 3_600_000, 1, 3);
    stepAt(store, -5, 1, 4);
    expect(timesOf(reopen(), 1)).toEqual([...times(1), start - 3_600_000, -5]);
  });

  test("is that of the retry, if the first commit failed", () => {
    const { store } = played();
    const failing = () =>
      store.transaction(() => {
        append(store, 1, 3);
        expect(store.readSteps(1, 3, 1)[0]?.atMs).toBe(start + 5_000);
        store.createEpisode(row(1), "{}");
      });
    vi.setSystemTime(start + 5_000);
    expect(failing).toThrow(/UNIQUE/);
    stepAt(store, start + 6_000, 1, 3);
    expect(timesOf(store, 1).at(-1)).toBe(start + 6_000);
  });

  test("is the parent's time in the steps that a fork shares", () => {
    const { store, reopen } = played();
    vi.setSystemTime(start + 86_400_000);
    store.transaction(() => store.forkEpisode(row(3, { parent: row(1).id }), 1, 2));
    stepAt(store, start + 86_400_500, 3, 2);
    for (const log of [() => store, reopen])
      expect(timesOf(log(), 3)).toEqual([...times(1).slice(0, 2), start + 86_400_500]);
  });

  test("is kept by a backup and by a repair", async () => {
    const { store, path } = played();
    stepAt(store, -5, 1, 3);
    store.close();
    const [backup, to] = [join(scratchDir(), "backup.db"), join(scratchDir(), "repaired.db")];
    expect((await backUpLog(path, backup)).damages).toEqual([]);
    const damaged = openDatabase(backup);
    damaged.exec(`DELETE FROM openings WHERE episode = 2`);
    damaged.close();
    expect(repairLog(backup, to)).toMatchObject({ episodes: 2, steps: 7, cut: [{ steps: 3 }] });
    const repaired = open(to).store;
    expect([timesOf(repaired, 1), timesOf(repaired, 2)]).toEqual([[...times(1), -5], times(2)]);
  });
});

describe("a log of schema version 5", () => {
  const recorded = fileURLToPath(new URL("../../fixtures/log/episodes-v5.db", import.meta.url));
  const [original, fork] = [1, 3];

  function copied(): string {
    const path = join(scratchDir(), "log.db");
    copyFileSync(recorded, path);
    return path;
  }

  test("has no times, also in forks of its episodes, and stores times for new steps", () => {
    const path = copied();
    const { store, reopen } = open(path);
    expect([timesOf(store, original), timesOf(store, fork)]).toEqual([Array(5).fill(null), Array(6).fill(null)]);
    store.transaction(() => store.forkEpisode(row(4, { parent: row(original).id }), original, 2));
    stepAt(store, start, 4, 2);
    stepAt(store, start + 7, fork, 6);
    const log = reopen();
    expect(timesOf(log, 4)).toEqual([null, null, start]);
    expect(timesOf(log, fork)).toEqual([...Array(6).fill(null), start + 7]);
    log.close();
    expect(verifyLog(path).damages).toEqual([]);
    const file = openDatabase(path, { readonly: true });
    expect(file.pragma("user_version", { simple: true })).toBe(9);
    file.close();
  });

  test("keeps the byte counts of its owners, since times are stored per page", () => {
    const path = copied();
    const old = openDatabase(path);
    const usage = old.prepare(`SELECT owner, bytes FROM usage`).raw().all() as [string, number][];
    old.close();
    const { store } = open(path);
    const [[owner, bytes] = ["", 0]] = usage;
    expect(store.space().usage.get(owner)).toBeGreaterThan(bytes);
    store.close();
    const now = openDatabase(path, { readonly: true });
    expect(now.prepare(`SELECT owner, bytes FROM usage`).raw().all()).toEqual(usage);
    now.close();
  });

  test("is repaired to a log of the present version, without times", () => {
    const path = copied();
    const damaged = openDatabase(path);
    damaged.exec(`DELETE FROM openings WHERE episode = 2`);
    damaged.close();
    const to = join(scratchDir(), "repaired.db");
    expect(repairLog(path, to)).toMatchObject({ episodes: 3, steps: 13 });
    const { store } = open(to);
    expect(timesOf(store, fork)).toEqual(Array(6).fill(null));
    stepAt(store, start, fork, 6);
    expect(timesOf(store, fork)[6]).toBe(start);
  });
});
