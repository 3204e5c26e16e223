/** Copies of a log while a gym writes to it. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { backUpLog } from "#palestra/server/log/repair/backup.js";
import { CheckpointHold, holdingCheckpoints } from "#palestra/server/log/sqlite/checkpoint-hold.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { scratchDir } from "../../support/gym.js";
import { checkpoint } from "../../support/log-moments.js";
import { SmallDisk } from "../../support/small-disk.js";
import { all, appendAll, open, row } from "./store-rig.js";

const text = "x".repeat(2 ** 18);
const stepOf = (index: number) => ({ index, action: `a${index}`, reply: `{"index":${index},"text":"${text}"}` });

/** An open log of 12 MiB, and a function that adds steps to it. A copy takes several turns. */
function largeLog(): { path: string; store: LogStore; count(): number; add(steps: number): void } {
  const { store, path } = open();
  store.transaction(() => store.createEpisode(row(1), "{}"));
  let count = 0;
  const add = (steps: number) => {
    for (let i = 0; i < steps; i++) {
      const next = [[1, stepOf(count), 0]] as const;
      store.transaction(() => appendAll(store, next));
      count += 1;
    }
  };
  add(48);
  return { path, store, add, count: () => count };
}

/** Copies the write-ahead log into the main file, so that the next step starts the write-ahead log over. */
function startOver({ store, add }: ReturnType<typeof largeLog>): void {
  checkpoint(store);
  add(1);
}

function stepsIn(path: string): number {
  const store = new LogStore(path, "normal");
  const steps = all(store, 1);
  store.close();
  expect(steps).toEqual(steps.map((_, index) => stepOf(index)));
  return steps.length;
}

test("a copy of a growing log has every step from before its start, and is checked", async () => {
  const log = largeLog();
  startOver(log);
  log.add(30);
  const before = log.count();
  const to = join(scratchDir(), "backup.db");
  const found = await backUpLog(log.path, to, { onProgress: () => log.count() < 100 && log.add(3) });
  expect(found).toMatchObject({ episodes: 1, damages: [] });
  expect(log.count()).toBeGreaterThan(before);
  const copied = stepsIn(to);
  expect(copied).toBeGreaterThanOrEqual(before);
  expect(copied).toBeLessThanOrEqual(log.count());
});

test("a copy is repeated if a checkpoint makes it inconsistent", async () => {
  const log = largeLog();
  const to = join(scratchDir(), "backup.db");
  let spoiled = 0;
  const onProgress = () => {
    if (spoiled++ < 3) startOver(log);
  };
  expect(await backUpLog(log.path, to, { onProgress })).toMatchObject({ damages: [] });
  expect(stepsIn(to)).toBe(log.count());
  expect(spoiled).toBeGreaterThan(6);
});

test("a log that is checkpointed during every copy is not copied, and no file is left", async () => {
  const log = largeLog();
  const folder = scratchDir();
  const backup = backUpLog(log.path, join(folder, "backup.db"), { onProgress: () => startOver(log) });
  await expect(backup).rejects.toThrow("expected a gym that holds its checkpoints during a backup");
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(`${log.path}.hold`)).toBe(false);
});

test("a gym sees the request of a backup until the backup ends or is killed", async () => {
  const path = join(scratchDir(), "log.db");
  const hold = new CheckpointHold(path);
  expect(hold.isHeld).toBe(false);
  await holdingCheckpoints(path, async () => {
    expect(hold.isHeld).toBe(true);
    expect(statSync(`${path}.hold`).mode & 0o777).toBe(0o600);
  });
  expect(hold.isHeld).toBe(false);

  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  now.mockReturnValue(1_000);
  writeFileSync(`${path}.hold`, "");
  expect(hold.isHeld).toBe(true);
  now.mockReturnValue(10_900);
  expect(hold.isHeld).toBe(true);
  // A renewal counts even if the wall clock has jumped back.
  utimesSync(`${path}.hold`, 0, 0);
  expect(hold.isHeld).toBe(true);
  now.mockReturnValue(20_800);
  expect(hold.isHeld).toBe(true);
  now.mockReturnValue(21_000);
  expect(hold.isHeld).toBe(false);
});

test("held checkpoints do not change the main file, however many steps are written", () => {
  const log = largeLog();
  startOver(log);
  log.store.holdCheckpoints(true);
  const before = statSync(log.path, { bigint: true });
  log.add(140);
  expect(statSync(log.path, { bigint: true })).toMatchObject({ size: before.size, mtimeNs: before.mtimeNs });
  log.store.holdCheckpoints(false);
  log.add(1);
  expect(statSync(log.path).size).toBeGreaterThan(Number(before.size) + 32 * 2 ** 20);
});

test("a backup to a folder that cannot be written is refused before any request to the gym", async () => {
  const log = largeLog();
  const folder = join(scratchDir(), "file");
  writeFileSync(folder, "");
  await expect(backUpLog(log.path, join(folder, "backup.db"))).rejects.toThrow("ENOTDIR");
  rmSync(folder);
  mkdirSync(folder);
  expect(await backUpLog(log.path, join(folder, "backup.db"))).toMatchObject({ damages: [] });
});

test("a gym starts its large write-ahead log over during a backup, and the copy has every step", async () => {
  const log = largeLog();
  log.store.holdCheckpoints(true);
  const walBytes = () => statSync(`${log.path}-wal`).size;
  let largest = 0;
  const onProgress = () => {
    if (log.count() > 900) return;
    log.add(70);
    largest = Math.max(largest, walBytes());
    log.store.holdCheckpoints(true);
  };
  const before = statSync(log.path).size;
  const to = join(scratchDir(), "backup.db");
  expect(await backUpLog(log.path, to, { onProgress })).toMatchObject({ episodes: 1, damages: [] });
  expect(log.count(), "more steps than a write-ahead log holds").toBeGreaterThan(400);
  expect(largest).toBeLessThan(40 * 2 ** 20);
  expect(statSync(log.path).size).toBeGreaterThan(before + 2 ** 26);
  expect(stepsIn(to)).toBeGreaterThan(250);
  const held = () => readdirSync(dirname(log.path)).filter((name) => name.includes(".hold"));
  expect(held().length).toBeGreaterThan(1);
  for (let checks = held().length; checks > 0; checks--) log.store.holdCheckpoints(false);
  expect(held()).toEqual([]);
});

test("a backup without the write-ahead log is repeated", async () => {
  const log = largeLog();
  log.store.holdCheckpoints(true);
  let lost = 0;
  const onProgress = () => {
    if (lost > 0) return;
    log.add(260);
    log.store.holdCheckpoints(true);
    log.add(1);
    for (const name of readdirSync(dirname(log.path)).filter((each) => /\.hold-/.test(each))) {
      rmSync(join(dirname(log.path), name));
      lost += 1;
    }
  };
  const to = join(scratchDir(), "backup.db");
  expect(await backUpLog(log.path, to, { onProgress })).toMatchObject({ damages: [] });
  expect(lost).toBeGreaterThan(0);
  expect(stepsIn(to)).toBe(log.count());
});

test("a closed gym leaves no copies of the write-ahead log", () => {
  const { path, store, add } = largeLog();
  const held = () => readdirSync(dirname(path)).filter((name) => name.includes(".hold"));
  store.holdCheckpoints(true);
  add(60);
  store.holdCheckpoints(true);
  expect(held().length).toBeGreaterThan(0);
  store.close();
  expect(held()).toEqual([]);
});

test("copies of the write-ahead log that a killed gym left are removed at the next start", () => {
  const { path, reopen } = open();
  writeFileSync(`${path}.hold-7`, "");
  reopen();
  expect(existsSync(`${path}.hold-7`)).toBe(false);
});

test("a backup is refused and leaves no file if its write-ahead log cannot be merged into the copy", async (context) => {
  const log = largeLog();
  expect(statSync(`${log.path}-wal`).size).toBeGreaterThan(12 * 2 ** 20);
  const disk = SmallDisk.mount(context, 18);
  const to = join(disk.path, "backup.db");
  await expect(backUpLog(log.path, to)).rejects.toThrow(
    `expected room for a backup in one file, but ${to}-wal could not be merged`,
  );
  expect(readdirSync(disk.path)).toEqual([]);
  disk.enlarge(40);
  expect(await backUpLog(log.path, to)).toMatchObject({ damages: [] });
  expect(stepsIn(to)).toBe(log.count());
});
