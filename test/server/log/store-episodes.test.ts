import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import type { LogStore } from "#palestra/server/log/sqlite/store.js";
import { all, append, expected, fill, lengthOf, many, open, plain, row, step } from "./store-rig.js";

describe("an episode", () => {
  test("is found with its newest step, phase and marks", () => {
    const { store } = open();
    store.transaction(() => {
      store.createEpisode(row(1), "{}");
      append(store, 1, 0);
      append(store, 1, 1, 2);
      store.mark(1, "expert", "");
      store.mark(1, "failed", JSON.stringify({ code: "ENVIRONMENT_THREW" }));
    });
    expect(store.findEpisode(1)).toMatchObject({
      row: row(1),
      steps: 2,
      last: { ...step(1), ended: 2 },
      phase: "failed",
      failure: { code: "ENVIRONMENT_THREW" },
      expertUsed: true,
    });
    expect(store.findEpisode(2)).toBeNull();
  });

  test("cannot be logged twice with one key, or with one idempotency key of one owner", () => {
    const { store } = open();
    const keyed = (key: number, owner: string) => row(key, { owner, idempotencyKey: "k", requestDigest: "d" });
    store.transaction(() => {
      store.createEpisode(row(1), "{}");
      store.createEpisode(keyed(2, "ada"), "{}");
      store.createEpisode(keyed(3, "bob"), "{}");
    });
    expect(() => store.transaction(() => store.createEpisode(row(1), "{}"))).toThrow(/UNIQUE/);
    expect(() => store.transaction(() => store.createEpisode(keyed(4, "ada"), "{}"))).toThrow(/UNIQUE/);
    expect(store.findByIdempotencyKey("ada", "k")).toEqual(keyed(2, "ada"));
    expect(store.findByIdempotencyKey("bob", "k")).toEqual(keyed(3, "bob"));
    expect(store.findByIdempotencyKey("eve", "k")).toBeNull();
  });

  test("is found without its reset result, which a call of its own returns", () => {
    const { store, reopen } = open();
    const keyed = row(1, { idempotencyKey: "k", requestDigest: "d" });
    store.transaction(() => {
      store.createEpisode(keyed, '{"observation":"long"}');
      store.forkEpisode(row(2), 1, 0);
    });
    for (const now of [() => store, reopen]) {
      const log = now();
      expect(log.findEpisode(1)?.row).toEqual(keyed);
      expect(log.findByIdempotencyKey("ada", "k")).toEqual(keyed);
      expect(log.listEpisodes("ada", 10, 10)).toEqual([row(2), keyed]);
      expect([1, 2, 3].map((key) => log.readResetResult(key))).toEqual([
        ...Array(2).fill('{"observation":"long"}'),
        null,
      ]);
    }
  });

  test("that is a fork has the first steps of its parent, and the expert mark", () => {
    const { store, reopen } = open();
    fill(store, 0, many);
    store.transaction(() => {
      store.createEpisode(row(1), "{}");
      store.mark(1, "expert", "");
      store.mark(1, "closed", "");
      store.forkEpisode(row(100, { parent: "ep-1" }), 1, 2_500);
      store.forkEpisode(row(101, { parent: "ep-1" }), 1, 0);
      append(store, 100, 2_500);
    });
    for (const now of [() => store, reopen]) {
      const log = now();
      expect(all(log, 100)).toEqual(expected(2_501));
      expect(all(log, 101)).toEqual([]);
      expect(log.findEpisode(100)).toMatchObject({ steps: 2_501, expertUsed: true, phase: "running" });
    }
  });

  test("that is a fork continues independently, with steps indexed on disk or in memory", () => {
    const { store, reopen } = open();
    const total = many - 1_000;
    fill(store, 0, total);
    const length = lengthOf(2, total);
    const cut = [0, 1, 100, 2_400, length - 1, length];
    store.transaction(() => {
      for (const [i, count] of cut.entries()) store.forkEpisode(row(100 + i), 2, count);
      for (const [i, count] of cut.entries()) append(store, 100 + i, count);
      store.forkEpisode(row(200), 102, 101);
    });
    const check = (log: LogStore) => {
      for (const [i, count] of cut.entries()) {
        expect(all(log, 100 + i)).toEqual(expected(count + 1));
        expect(log.findEpisode(100 + i)?.steps).toBe(count + 1);
        expect(plain(log.readSteps(100 + i, count, 10))).toEqual([step(count)]);
      }
      expect(all(log, 200)).toEqual(expected(101));
    };
    check(store);
    fill(store, total, total + 2 * many);
    check(store);
    check(reopen());
  });

  test("that is a fork adds no steps to the file", () => {
    const { store, path } = open();
    fill(store, 0, many);
    store.transaction(() => {
      for (let key = 100; key < 200; key++) store.forkEpisode(row(key), 1, 2_500);
    });
    store.close();
    const file = openDatabase(path, { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare("SELECT count(*) FROM pages").pluck().get()).toBe(many / 50);
  });

  test("cannot be forked with more steps than it has", () => {
    const { store } = open();
    fill(store, 0, 70);
    const fork = (count: number) => store.transaction(() => store.forkEpisode(row(100 + count), 1, count));
    expect(() => fork(11)).toThrow("expected at least 11 steps in episode 1, but received 10");
    expect(() => store.transaction(() => store.forkEpisode(row(100), 99, 1))).toThrow(/received 0/);
    expect(store.findEpisode(111)).toBeNull();
    fork(10);
    expect(all(store, 110)).toEqual(expected(10));
  });

  test("is listed for its owner, newest first, from a given key", () => {
    const { store } = open();
    store.transaction(() => {
      for (let key = 1; key <= 6; key++) store.createEpisode(row(key, { owner: key % 2 === 0 ? "ada" : "bob" }), "{}");
    });
    const keys = (before: number, limit: number) => store.listEpisodes("ada", before, limit).map(({ key }) => key);
    expect([keys(Number.MAX_SAFE_INTEGER, 10), keys(6, 1), keys(2, 10)]).toEqual([[6, 4, 2], [4], []]);
  });
});
