/**
 * A power cut, simulated on copies of a log's files: the write-ahead log ends at any byte, its end has zeros or garbage, or
 * the main file is cut. A crash of the process alone loses no byte that was written.
 */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, test, vi } from "vitest";
import { isDamage } from "#palestra/server/log/records/damage.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { SmallDisk } from "../../support/small-disk.js";
import { all, appendAll, expected, row, step } from "./store-rig.js";

const [headerBytes, frameBytes] = [32, 24 + 4_096];
const [episodes, commits, commitsBefore] = [5, 150, 40];

// Thousands of copies are opened and flushed. In memory that takes seconds.
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "palestra-cut-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the number of steps of each episode after a number of commits. A commit has a step of some of the episodes.
 */
function lengthsAfter(count: number): number[] {
  const lengths = new Array<number>(episodes).fill(0);
  for (let commit = 0; commit < count; commit++)
    for (let key = 1; key <= episodes; key++) if ((commit + key) % 3 !== 0) (lengths[key - 1] as number)++;
  return lengths;
}

function commit(store: LogStore, number: number): void {
  const before = lengthsAfter(number);
  const after = lengthsAfter(number + 1);
  const steps = after.flatMap((length, i) =>
    length > (before[i] as number) ? [[i + 1, step(before[i] as number), 0] as const] : [],
  );
  store.transaction(() => appendAll(store, steps));
}

/** Records the log. The first commits are in the main file, and the others in the write-ahead log. */
function record(): { main: Buffer; wal: Buffer } {
  const path = join(folder, "recorded.db");
  const first = new LogStore(path, "full");
  first.transaction(() => {
    for (let key = 1; key <= episodes; key++) first.createEpisode(row(key), `opening ${key}`);
  });
  for (let number = 0; number < commitsBefore; number++) commit(first, number);
  first.close();
  const store = new LogStore(path, "full");
  for (let number = commitsBefore; number < commits; number++) commit(store, number);
  const files = { main: readFileSync(path), wal: readFileSync(`${path}-wal`) };
  store.close();
  return files;
}

const recorded = record();

function ofEarlierRun(frames: Buffer): Buffer {
  const copy = Buffer.from(frames);
  for (let at = 8; at + 8 <= copy.length; at += frameBytes) copy.fill(1, at, at + 8);
  return copy;
}

/**
 * Byte offsets at which a commit of steps ends in the write-ahead log. The last frame of a commit has the size of the
 * database. A start of the log may commit a change of the header before the first step.
 */
const commitEnds = Array.from({ length: (recorded.wal.length - headerBytes) / frameBytes }, (_, frame) => frame)
  .filter((frame) => recorded.wal.readUInt32BE(headerBytes + frame * frameBytes + 4) > 0)
  .map((frame) => headerBytes + (frame + 1) * frameBytes)
  .slice(commitsBefore - commits);

const path = join(folder, "cut.db");

function put(main: Buffer, wal: Buffer | null): void {
  for (const suffix of ["", "-wal", "-shm", "-newest"]) rmSync(path + suffix, { force: true });
  writeFileSync(path, main);
  if (wal) writeFileSync(`${path}-wal`, wal);
}

/** Writes the file that names the newest rows, as if the system had restarted after the gym wrote it. */
function markEarlierBoot(pages: number): void {
  const newest = { pages, episodes, marks: 0, handles: 0 };
  writeFileSync(`${path}-newest`, JSON.stringify({ boot: "an earlier start", newest }));
}

/** Opens the log, checks that it is a log after some commit, and returns the number of that commit. */
function survivingCommits(readsAll = true): number {
  const store = new LogStore(path, "normal");
  try {
    const lengths = Array.from({ length: episodes }, (_, i) => store.findEpisode(i + 1)?.steps ?? -1);
    const count = Array.from({ length: commits + 1 }, (_, i) => i).findLast(
      (i) => lengthsAfter(i).join() === lengths.join(),
    );
    expect(count, `${lengths} are the steps after a commit`).toBeDefined();
    if (readsAll) {
      for (const [i, length] of lengths.entries()) {
        expect(all(store, i + 1)).toEqual(expected(length));
        expect(store.readResetResult(i + 1)).toBe(`opening ${i + 1}`);
      }
    }
    return count as number;
  } finally {
    store.close();
  }
}

describe("after a power cut", () => {
  test("the log has exactly the complete commits, wherever the write-ahead log ends", () => {
    const { main, wal } = recorded;
    const lastFrame = wal.length - frameBytes;
    const cuts = new Set([0, 1, 31, headerBytes]);
    for (let end = headerBytes + frameBytes; end <= wal.length; end += frameBytes)
      for (let by = -2; by <= 2; by++) cuts.add(Math.min(wal.length, end + by));
    for (let at = lastFrame; at <= wal.length; at += 3) cuts.add(at);
    for (let at = headerBytes; at < wal.length; at += 997) cuts.add(at);
    let before = -1;
    for (const at of [...cuts].sort((a, b) => a - b)) {
      put(main, wal.subarray(0, at));
      const whole = commitsBefore + commitEnds.filter((end) => end <= at).length;
      expect(survivingCommits(whole !== before), `cut at byte ${at} of ${wal.length}`).toBe(whole);
      before = whole;
    }
    console.info(`${cuts.size} cuts of a write-ahead log of ${wal.length} bytes with ${commitEnds.length} commits`);
    expect(cuts.size).toBeGreaterThan(2_000);
    expect(before).toBe(commits);
  }, 300_000);

  test("a crash of the process without a cut loses no commit, and a verification finds no damage", () => {
    put(recorded.main, recorded.wal);
    expect(verifyLog(path).damages).toEqual([]);
    expect(survivingCommits()).toBe(commits);
  });

  test.each([
    ["zeros at the end", (bytes: Buffer, from: number) => void bytes.fill(0, from)],
    [
      "a hole of zeros before the end",
      (bytes: Buffer, from: number) => void bytes.fill(0, from, Math.min(from + frameBytes, bytes.length)),
    ],
    ["garbage at the end", (bytes: Buffer, from: number) => void bytes.fill("garbage!", from)],
  ])("the write-ahead log with %s ends at the commit before", (_, spoil) => {
    for (let frames = 1; frames <= 30; frames++) {
      const from = recorded.wal.length - frames * frameBytes + (frames % 3) * 7;
      const wal = Buffer.from(recorded.wal);
      spoil(wal, from);
      put(recorded.main, wal);
      markEarlierBoot(commits);
      const whole = commitsBefore + commitEnds.filter((end) => end <= from).length;
      expect(survivingCommits(), `from byte ${from}`).toBe(whole);
    }
  });

  test("the start reports the missing commits and keeps the damaged write-ahead log", () => {
    const wal = Buffer.from(recorded.wal).fill(0, commitEnds[50], (commitEnds[50] as number) + frameBytes);
    put(recorded.main, wal);
    markEarlierBoot(commits);
    const store = new LogStore(path, "normal");
    const missing = commits - commitsBefore - 51;
    expect(store.loss).toContain(
      `${missing - 2} commits follow its damaged part, and it lacks at least ${missing} pages of steps. It is kept as `,
    );
    const kept = /kept as (.*)\.$/.exec(store.loss as string)?.[1] as string;
    expect(readFileSync(kept).equals(wal)).toBe(true);
    store.close();
    rmSync(kept);
  });

  test("a start without room to keep the damaged write-ahead log fails with a remedy and leaves the file in place", (context) => {
    const disk = SmallDisk.mount(context, 4);
    const there = join(disk.path, "log.db");
    const wal = Buffer.from(recorded.wal).fill(0, commitEnds[50], (commitEnds[50] as number) + frameBytes);
    put(recorded.main, wal);
    markEarlierBoot(commits);
    writeFileSync(there, recorded.main);
    writeFileSync(`${there}-wal`, wal);
    copyFileSync(`${path}-newest`, `${there}-newest`);
    disk.fill();
    for (let start = 0; start < 2; start++) {
      expect(() => new LogStore(there, "normal")).toThrow(
        /expected room for a copy of the damaged file .*-wal \(\d+ KiB\), but received ENOSPC.* Make room on the disk/,
      );
      expect(readFileSync(`${there}-wal`).equals(wal)).toBe(true);
    }
    disk.free();
    const store = new LogStore(there, "normal");
    expect(store.loss).toContain("It is kept as ");
    store.close();
  });

  test("the start also reports missing commits if the write-ahead log ends in a complete commit", () => {
    put(recorded.main, recorded.wal.subarray(0, commitEnds[50]));
    markEarlierBoot(commits);
    const store = new LogStore(path, "normal");
    expect(store.loss).toContain("it lacks at least");
    store.close();
    expect(existsSync(`${path}-newest`)).toBe(false);
  });

  test("bytes of an unfinished write after the last commit change nothing", () => {
    for (const tail of [
      Buffer.alloc(3 * frameBytes),
      Buffer.from("x".repeat(5_000)),
      // Frames of an earlier run of the write-ahead log, which have other salts.
      ofEarlierRun(recorded.wal.subarray(32, 9_000)),
    ]) {
      put(recorded.main, recorded.wal);
      appendFileSync(`${path}-wal`, tail);
      expect(survivingCommits()).toBe(commits);
    }
  });

  test("a lost or foreign -shm file changes nothing, since the log keeps that index in memory", () => {
    put(recorded.main, recorded.wal);
    writeFileSync(`${path}-shm`, "x".repeat(32_768));
    expect(survivingCommits()).toBe(commits);
    put(recorded.main, recorded.wal);
    const store = new LogStore(path, "full");
    expect(existsSync(`${path}-shm`)).toBe(false);
    store.close();
  });

  test("commits that a damaged frame hides are reported by a verification, which leaves them in the file", () => {
    const wal = Buffer.from(recorded.wal);
    wal.write("damage", (commitEnds[50] as number) + 500);
    put(recorded.main, wal);
    const hidden = commitEnds.length - 52;
    const { damages } = verifyLog(path);
    expect(damages).toEqual([{ part: `The write-ahead log, with ${hidden} commits after its damage`, episodes: [] }]);
    expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true);
    expect(() => new LogStore(path, "normal")).toThrow(`${hidden} commits follow its damaged part.`);
    expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true);
  });

  test("a cut main file is refused as damaged, or the write-ahead log completes it", () => {
    put(recorded.main, recorded.wal);
    survivingCommits();
    const main = readFileSync(path);
    for (let length = 100; length < main.length; length += 1_000) {
      put(main, null);
      truncateSync(path, length);
      let error: unknown;
      try {
        new LogStore(path, "normal").close();
      } catch (caught) {
        error = caught;
      }
      expect(isDamage(error), `${length} of ${main.length} bytes: ${error}`).toBe(true);
      expect(verifyLog(path).damages).not.toEqual([]);
    }
  });
});

test("`full` flushes every commit to the disk, and `normal` does not", () => {
  const pragma = vi.spyOn(Database.prototype, "pragma");
  for (const sync of ["normal", "full"] as const) {
    copyFileSync(join(folder, "recorded.db"), path);
    new LogStore(path, sync).close();
    expect(pragma.mock.calls.map(([sql]) => sql)).toContain(`synchronous = ${sync}`);
  }
  pragma.mockRestore();
});
