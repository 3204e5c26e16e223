/** `palestra log repair` on logs with every kind of damage. */
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Repair, repairLog } from "#palestra/server/log/repair/repair.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { scratchDir } from "../../support/gym.js";
import { type Content, copyLog, type Recorded, readLog, recordLog } from "./recorded-log.js";
import { append } from "./store-rig.js";

const pageSize = 4_096;

/** Overwrites a page of the file, counted from 1. */
function destroy(path: string, page: number, fill: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  fill(bytes.subarray((page - 1) * pageSize, page * pageSize));
  writeFileSync(path, bytes);
}

/** Fills the buffer with pseudorandom bytes, the same in every run. */
function scramble(bytes: Buffer, seed: number): void {
  let state = seed + 1;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
}

function repaired(path: string, ids: readonly string[]): { repair: Repair; content: Content; to: string } {
  const to = join(scratchDir(), "repaired.db");
  const repair = repairLog(path, to);
  expect(verifyLog(to).damages).toEqual([]);
  return { repair, content: readLog(to, ids), to };
}

/**
 * Checks that each episode is complete, or cut and marked as failed, or reported as lost. Returns the number of
 * complete episodes.
 */
function compare({ repair, content }: { repair: Repair; content: Content }, before: Content, about: string): number {
  const cut = new Map(repair.cut.map((episode) => [episode.id, episode]));
  let whole = 0;
  for (const [id, original] of before) {
    const found = content.get(id);
    if (!found) {
      const key = Number(id.split("-")[1]);
      const isNamed = repair.lost.includes(key) || repair.parts.some((part) => part.includes("episodes"));
      expect(isNamed, `${about}: ${id} is lost without a word`).toBe(true);
      continue;
    }
    expect(original.steps.slice(0, found.steps.length), `${about}: steps of ${id}`).toEqual(found.steps);
    if (cut.has(id)) {
      expect(found.phase, `${about}: ${id}`).toBeOneOf(["failed", "closed"]);
      expect(cut.get(id)?.steps).toBe(found.steps.length);
    } else if (isSame(found, original, repair)) whole += 1;
    else expect(found, `${about}: ${id} is shorter without a word`).toEqual(original);
  }
  expect(
    [...content.keys()].filter((id) => !before.has(id)),
    about,
  ).toEqual([]);
  return whole;
}

/** The newest steps or a mark of an episode may be lost if the repair reports the loss. */
function isSame(found: Recorded, original: Recorded, { mayLackNewest, parts }: Repair): boolean {
  if (found.resetResult !== original.resetResult) return false;
  if (mayLackNewest && found.steps.length < original.steps.length) return true;
  if (parts.some((part) => /marks|A row/.test(part))) return found.steps.length === original.steps.length;
  return found.steps.length === original.steps.length && (mayLackNewest || found.phase === original.phase);
}

describe("a repair", () => {
  const log = recordLog();
  const pages = statSync(log.path).size / pageSize;

  test("keeps all of an intact log", () => {
    const done = repaired(log.path, log.ids);
    expect(done.repair).toMatchObject({ cut: [], lost: [], parts: [], episodes: log.ids.length, mayLackNewest: false });
    expect(done.content).toEqual(log.content);
  });

  test.each([
    ["zeros", (bytes: Buffer) => void bytes.fill(0)],
    ["random bytes", (bytes: Buffer) => scramble(bytes, bytes.length)],
    ["the bytes of the first page", (bytes: Buffer) => void readFileSync(log.path).copy(bytes, 0, 0, pageSize)],
  ])("loses no other page if any single page has %s", (kind, fill) => {
    let wholes = 0;
    for (let page = 1; page <= pages; page++) {
      const path = copyLog(log.path);
      destroy(path, page, fill);
      wholes += compare(repaired(path, log.ids), log.content, `page ${page} of ${pages} with ${kind}`);
    }
    console.info(
      `${kind}: ${pages} pages, ${((100 * wholes) / (pages * log.ids.length)).toFixed(1)} % of episodes whole`,
    );
    expect(wholes).toBeGreaterThan(0.5 * pages * log.ids.length);
  });

  test("reports each of 120 single changed bytes that it cannot undo", () => {
    const original = readFileSync(log.path);
    let wholes = 0;
    for (let i = 0; i < 120; i++) {
      const bytes = Buffer.from(original);
      const at = (i * 7_919_777) % bytes.length;
      bytes[at] = (bytes[at] as number) ^ (1 << (i % 8));
      const path = join(scratchDir(), "episodes.db");
      writeFileSync(path, bytes);
      wholes += compare(repaired(path, log.ids), log.content, `byte ${at}, on page ${Math.ceil((at + 1) / pageSize)}`);
    }
    console.info(`120 changed bytes: ${((100 * wholes) / (120 * log.ids.length)).toFixed(1)} % of episodes whole`);
  });

  test("keeps all intact pages of a cut file", () => {
    let least = log.ids.length;
    for (let length = 0; length < pages * pageSize; length += 7_001) {
      const path = copyLog(log.path);
      truncateSync(path, length);
      const done = repaired(path, log.ids);
      expect(done.repair.parts.length, `${length} bytes`).toBeGreaterThan(0);
      for (const [id, { steps }] of done.content)
        expect(log.content.get(id)?.steps.slice(0, steps.length), `${id} in ${length} bytes`).toEqual(steps);
      least = Math.min(least, done.content.size);
    }
    expect(least).toBe(0);
  });

  test("reads the write-ahead log if the main file is missing or empty, and neither a start nor a verification deletes it", () => {
    const running = recordLog({ inWal: true });
    const wal = readFileSync(`${running.path}-wal`);
    for (const isEmpty of [false, true]) {
      const path = copyLog(running.path);
      rmSync(path);
      if (isEmpty) writeFileSync(path, "");
      expect(() => new LogStore(path, "normal")).toThrow(/main file .* is missing beside its write-ahead log/);
      expect(verifyLog(path).damages[0]?.part).toContain("main file");
      expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true);
      expect(repaired(path, running.ids).content).toEqual(running.content);
    }
  });

  test("is needed if only the file that names the newest rows is left", () => {
    const path = copyLog(recordLog({ inWal: true }).path);
    for (const suffix of ["", "-wal"]) rmSync(path + suffix);
    for (const isEmpty of [false, true]) {
      if (isEmpty) writeFileSync(path, "");
      expect(() => new LogStore(path, "normal")).toThrow("it is missing, although it had rows");
      expect(verifyLog(path).damages).toHaveLength(1);
    }
  });

  test("is needed if the write-ahead log of a copied log was emptied or removed", () => {
    const running = recordLog({ inWal: true });
    for (const isRemoved of [false, true]) {
      const path = copyLog(running.path);
      if (isRemoved) rmSync(`${path}-wal`);
      else truncateSync(`${path}-wal`);
      expect(() => new LogStore(path, "normal")).toThrow(/write-ahead log .* lacks at least \d+ pages of steps/);
    }
  });

  test("reads the write-ahead log on both sides of a damaged frame", () => {
    const running = recordLog({ inWal: true });
    expect(repaired(running.path, running.ids).content).toEqual(running.content);
    const path = copyLog(running.path);
    const wal = readFileSync(`${path}-wal`);
    wal[Math.floor(wal.length * 0.9)] = (wal[Math.floor(wal.length * 0.9)] as number) ^ 1;
    writeFileSync(`${path}-wal`, wal);
    const done = repaired(path, running.ids);
    expect(done.repair.parts[0]).toMatch(/^The write-ahead log, with \d+ commits after its damage$/);
    expect(done.content.size).toBe(running.content.size);
    const whole = compare(done, running.content, "a damaged write-ahead log");
    expect(whole).toBeGreaterThan(0.9 * running.content.size);
    expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true);
  });

  test("can be repeated, both on its result and on the damaged log", () => {
    const path = copyLog(log.path);
    destroy(path, 20, (bytes) => scramble(bytes, 20));
    const first = repaired(path, log.ids);
    const again = repaired(first.to, log.ids);
    expect(again.content).toEqual(first.content);
    expect(again.repair).toMatchObject({ cut: [], lost: [], parts: [] });
  });

  test("never reuses the numbers of lost pages and episodes", () => {
    const path = copyLog(log.path);
    const { to } = repaired(path, log.ids);
    const store = new LogStore(to, "normal");
    expect(store.nextKey()).toBe(log.ids.length + 1);
    store.transaction(() => append(store, 1, log.content.get(log.ids[0] as string)?.steps.length as number));
    store.close();
    expect(verifyLog(to).damages).toEqual([]);
    expect(readLog(to, log.ids).get(log.ids[0] as string)?.steps).toHaveLength(
      (log.content.get(log.ids[0] as string)?.steps.length as number) + 1,
    );
  });

  test("refuses to overwrite a file, and removes its unfinished output", () => {
    const to = join(scratchDir(), "there.db");
    writeFileSync(to, "mine");
    expect(() => repairLog(log.path, to)).toThrow(`expected a new file for the repaired log, but ${to} exists`);
    expect(readFileSync(to, "utf8")).toBe("mine");
  });
});
