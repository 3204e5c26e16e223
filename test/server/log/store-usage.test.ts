/** The bytes of each owner's episodes, and the size of the log's file. */
import { copyFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { scratchDir } from "../../support/gym.js";
import { indexSteps } from "../../support/log-moments.js";
import { open, row } from "./store-rig.js";

const opening = "{}";
const action = "look";
/** Texts with characters of three bytes, and with characters of two code units. */
const replyOf = (index: number) => `{"index":${index},"observation":"木😀${"x".repeat(100)}"}`;

/** Appends steps as one commit. @returns bytes of their lines */
function take(store: LogStore, ...steps: [episode: number, index: number][]): number {
  const page = new StepPageWriter();
  for (const [episode, index] of steps) page.add(episode, index, action, replyOf(index), 0);
  const taken = page.take();
  store.transaction(() => store.appendPage(taken));
  return Buffer.byteLength(taken.lines);
}

function create(store: LogStore, key: number, owner: string): void {
  store.transaction(() => store.createEpisode(row(key, { owner }), opening));
}

const usage = (store: LogStore) => Object.fromEntries(store.space().usage);
const prune = (store: LogStore, keep: number[] = []) =>
  store.transaction(() => store.prune(Number.MAX_SAFE_INTEGER, keep, 100));

describe("the bytes of an owner", () => {
  test("grow with each step by the step's bytes, and are the same after a restart", () => {
    const { store, reopen } = open();
    create(store, 1, "ada");
    create(store, 2, "bob");
    const before = usage(store);
    expect(before.ada).toBe(before.bob);
    const mine = take(store, [1, 0]) + take(store, [1, 1]);
    const bobs = take(store, [2, 0]);
    take(store, [1, 2], [2, 1]);
    const after = usage(store);
    expect(after.ada).toBe((before.ada as number) + mine + bobs);
    expect(after.bob).toBe((before.bob as number) + 2 * bobs);
    expect(usage(reopen())).toEqual(after);
  });

  test("hardly change when the steps are indexed on disk, and are the same after a restart", () => {
    const { store, reopen } = open();
    create(store, 1, "ada");
    const [before = 0] = Object.values(usage(store));
    let bytes = 0;
    for (let index = 0; index < 200; index++) bytes += take(store, [1, index]);
    store.transaction(() => indexSteps(store));
    const { ada = 0 } = usage(store);
    // The index has a place for each step.
    expect(ada - before - bytes).toBeGreaterThan(0);
    expect(ada - before - bytes).toBeLessThan(200 * 10);
    expect(usage(reopen())).toEqual({ ada });
  });

  test("do not grow with a commit that fails", () => {
    const { store } = open();
    create(store, 1, "ada");
    take(store, [1, 0]);
    const before = store.space();
    const failing = () =>
      store.transaction(() => {
        store.createEpisode(row(2, { owner: "ada" }), opening);
        const page = new StepPageWriter();
        page.add(1, 1, action, replyOf(1), 0);
        store.appendPage(page.take());
        throw new Error("as asked");
      });
    expect(failing).toThrow("as asked");
    const { usage: after, writtenBytes } = store.space();
    expect(after).toEqual(before.usage);
    expect(writtenBytes).toBe(before.writtenBytes);
  });

  test("count the steps that a fork shares only once", () => {
    const { store } = open();
    create(store, 1, "ada");
    for (let index = 0; index < 50; index++) take(store, [1, index]);
    const { ada: before = 0 } = usage(store);
    store.transaction(() => store.forkEpisode(row(2, { owner: "ada" }), 1, 50));
    const { ada: after = 0 } = usage(store);
    // The fork adds its row and a list of 50 places.
    expect(after - before).toBeGreaterThan(50);
    expect(after - before).toBeLessThan(1_500);
  });

  test("are removed with the owner's episodes, and the bytes of other owners stay", () => {
    const { store, reopen } = open();
    create(store, 1, "ada");
    create(store, 2, "bob");
    for (let index = 0; index < 30; index++) take(store, [1, index], [2, index]);
    store.transaction(() => store.forkEpisode(row(3, { owner: "ada" }), 1, 20));
    prune(store, [2]);
    const left = usage(store);
    expect(Object.keys(left)).toEqual(["bob"]);
    expect(usage(reopen())).toEqual(left);
  });
});

describe("the file", () => {
  /** A log whose oldest episode still plays, and has a step beside each of many later episodes. */
  test("frees the pages of removed episodes even if an older episode stays", () => {
    const { store, path } = open();
    create(store, 1, "ada");
    take(store, [1, 0]);
    const before = store.space().usedBytes;
    for (let key = 2; key < 40; key++) {
      create(store, key, "bob");
      for (let index = 0; index < 40; index++) take(store, [key, index]);
    }
    const full = store.space();
    expect(full.usedBytes - before).toBeGreaterThan(100_000);
    expect(full.freeBytes).toBe(0);
    prune(store, [1]);
    const pruned = store.space();
    expect(pruned.freeBytes).toBeGreaterThan(0.8 * (full.usedBytes - before));

    let returned = 0;
    for (let bytes = 1; bytes > 0; returned += bytes) bytes = store.shrinkFile(65_536);
    expect(returned).toBe(pruned.freeBytes);
    expect(store.space().freeBytes).toBe(0);
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(statSync(path).size).toBe(store.space().fileBytes);
    expect(store.readSteps(1, 0, 10)).toHaveLength(1);
  });

  test("keeps each page that a remaining episode needs, whatever is removed around it", () => {
    const { store, reopen } = open();
    for (let key = 1; key <= 12; key++) create(store, key, "ada");
    const lengths = new Map<number, number>();
    for (let i = 0; i < 600; i++) {
      const key = 1 + ((i * i + Math.floor(i / 50)) % 12);
      const index = lengths.get(key) ?? 0;
      take(store, [key, index]);
      lengths.set(key, index + 1);
      // The steps so far get their own group in the index.
      if (i % 90 === 0) store.transaction(() => indexSteps(store));
    }
    const left = [...lengths.keys()];
    while (left.length > 0) {
      left.splice((left.length * 7) % left.length, 1);
      prune(store, left);
      for (const key of left) expect(store.readSteps(key, 0, 1_000)).toHaveLength(lengths.get(key) as number);
    }
    expect(reopen().space().usage.size).toBe(0);
  });
});

describe.each([3, 4, 5, 7])("a log of schema version %i", (version) => {
  test("gets byte counts of its owners, which fall to 0 with its episodes", () => {
    const path = `${scratchDir()}/log.db`;
    copyFileSync(fileURLToPath(new URL(`../../fixtures/log/episodes-v${version}.db`, import.meta.url)), path);
    const old = openDatabase(path);
    const bytesOf = (table: string, text: string) =>
      old.prepare(`SELECT sum(octet_length(${text})) FROM ${table}`).pluck().get() as number;
    const texts = bytesOf("pages", "lines") + bytesOf("openings", "opening");
    const owners = old.prepare(`SELECT DISTINCT owner FROM episodes ORDER BY owner`).pluck().all();
    old.close();

    const store = new LogStore(path, "normal");
    const counted = usage(store);
    expect(Object.keys(counted).sort()).toEqual(owners);
    const sum = Object.values(counted).reduce((total, bytes) => total + bytes, 0);
    // Besides the texts, a few hundred bytes for each of at most three episodes.
    expect(sum).toBeGreaterThan(texts);
    expect(sum).toBeLessThan(texts + 3 * 500);
    prune(store);
    expect(usage(store)).toEqual({});
    store.close();
    const emptied = openDatabase(path, { readonly: true });
    expect(emptied.prepare(`SELECT count(*) FROM pages`).pluck().get()).toBe(0);
    emptied.close();
  });
});
