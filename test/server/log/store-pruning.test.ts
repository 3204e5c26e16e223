import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import type { LogStore } from "#palestra/server/log/sqlite/store.js";
import { all, append, appendAll, episodes, expected, fill, open, row, step } from "./store-rig.js";

describe("pruning", () => {
  test("removes old episodes that are not kept, with their steps and marks, up to a limit", () => {
    const { store, reopen } = open();
    store.transaction(() => {
      for (let key = 1; key <= 6; key++) {
        store.createEpisode(row(key), "{}");
        append(store, key, 0);
        append(store, key, 1);
        store.mark(key, "expert", "");
      }
    });
    const prune = (beforeMs: number, keep: number[], limit: number) => {
      let count = 0;
      store.transaction(() => {
        count = store.prune(beforeMs, keep, limit);
      });
      return count;
    };
    expect(prune(4_500, [2], 2)).toBe(2);
    expect(prune(4_500, [2], 2)).toBe(1);
    expect(prune(4_500, [2], 2)).toBe(0);
    for (const now of [() => store, reopen]) {
      const log = now();
      const left = [1, 2, 3, 4, 5, 6].filter((key) => log.findEpisode(key));
      expect(left).toEqual([2, 5, 6]);
      expect([1, 3, 4].map((key) => all(log, key))).toEqual([[], [], []]);
      for (const key of left) expect(all(log, key)).toEqual(expected(2));
    }
  });

  test("spares the episodes that were created after the call was sent", () => {
    const { store } = open();
    store.transaction(() => {
      for (let key = 1; key <= 4; key++) store.createEpisode(row(key), "{}");
    });
    store.transaction(() => expect(store.prune(Number.MAX_SAFE_INTEGER, [1], 10, { belowKey: 3 })).toBe(1));
    expect([1, 2, 3, 4].filter((key) => store.findEpisode(key))).toEqual([1, 3, 4]);
  });

  test("that was rolled back never makes a later pruning remove needed steps", () => {
    const { store: first, reopen } = open();
    const keys = Array.from({ length: 23 }, (_, i) => i + 1);
    const others = (key: number) => keys.filter((other) => other !== key);
    first.transaction(() => {
      for (const key of keys) first.createEpisode(row(key), "{}");
    });
    // Episode 1 is the only one with steps in several pages. It shares a page in the middle with episode 2.
    first.transaction(() => append(first, 1, 0));
    for (let key = 4; key <= 13; key++) first.transaction(() => append(first, key, 0));
    first.transaction(() =>
      appendAll(first, [
        [1, step(1), 0],
        [2, step(0), 0],
      ]),
    );
    for (let key = 14; key <= 23; key++) first.transaction(() => append(first, key, 0));
    first.transaction(() => append(first, 1, 2));
    // Moves the steps to the index on disk.
    first.transaction(() => first.prune(Number.MAX_SAFE_INTEGER, others(23), 30));
    const store = reopen();
    const failing = () =>
      store.transaction(() => {
        store.prune(Number.MAX_SAFE_INTEGER, others(1), 30);
        throw new Error("the disk is full");
      });
    expect(failing).toThrow("the disk is full");
    store.transaction(() => store.prune(Number.MAX_SAFE_INTEGER, others(2), 30));
    expect(all(store, 1)).toEqual(expected(3));
  });

  test("without an episode to remove writes nothing to the log", () => {
    const { store } = open();
    store.transaction(() => {
      store.createEpisode(row(1), "{}");
      append(store, 1, 0);
    });
    const before = store.space().fileBytes;
    for (let i = 0; i < 5; i++) store.transaction(() => store.prune(Number.MAX_SAFE_INTEGER, [1], 10));
    expect(store.space().fileBytes).toBe(before);
  });

  test("keeps the steps of a removed episode that a fork needs, and removes them with the fork", () => {
    const { store, reopen, path } = open();
    const pages = () => {
      reopen().close();
      const file = openDatabase(path, { readonly: true });
      const count = file.prepare("SELECT count(*) FROM pages").pluck().get();
      file.close();
      return count;
    };
    store.transaction(() => {
      for (let key = 1; key <= episodes; key++) store.createEpisode(row(key), "{}");
    });
    fill(store, 0, 1_000);
    store.transaction(() => store.forkEpisode(row(100), 3, 50));
    store.transaction(() => store.prune(50_000, [], 10));
    expect([all(store, 3), all(store, 100)]).toEqual([[], expected(50)]);
    // One commit has 50 steps of seven episodes, so the first 50 steps of an episode lie in seven commits.
    expect(pages()).toBe(7);
    const again = reopen();
    again.transaction(() => append(again, 100, 50));
    expect(all(again, 100)).toEqual(expected(51));
    again.transaction(() => again.prune(500_000, [], 10));
    expect(pages()).toBe(0);
  });

  test("never reuses a key", () => {
    const { store, reopen } = open();
    store.transaction(() => {
      store.createEpisode(row(store.nextKey()), "{}");
      store.createEpisode(row(store.nextKey()), "{}");
      store.prune(Number.MAX_SAFE_INTEGER, [], 10);
    });
    expect(store.nextKey()).toBe(3);
    expect(reopen().nextKey()).toBe(3);
  });

  test("removes aliases that are closed or have lost their episode, and older rows of the others", () => {
    const { store, reopen, path } = open();
    const ids = [1, 2, 3, 4].map(createEpisodeId);
    const say = (namespace: string, alias: number, key: number | null) =>
      store.setAlias({ namespace, alias, owner: "ada", episodeId: key === null ? null : (ids[key - 1] as string) });
    store.transaction(() => {
      for (const [i, id] of ids.entries()) store.createEpisode(row(i + 1, { id }), "{}");
      say("textcraft", 0, 1);
      say("textcraft", 1, 3);
      say("textcraft", 2, 1);
      say("textcraft", 1, 4);
      say("textcraft", 3, 4);
      say("textcraft", 3, null);
      say("textcraft", 4, 2);
      say("maze", 7, 2);
      say("maze", 7, null);
    });
    store.transaction(() => store.prune(2_500, [], 10));
    store.transaction(() => store.pruneAliases(0));
    const check = (log: LogStore) => {
      const standing = [0, 1, 2, 3].map((alias) => log.findAlias("textcraft", alias)?.episodeId ?? null);
      expect(standing).toEqual([null, ids[3], null, null]);
      expect([log.nextAlias("textcraft"), log.nextAlias("maze")]).toEqual([5, 8]);
    };
    check(store);
    check(reopen());
    reopen().close();
    const file = openDatabase(path, { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare("SELECT surface, handle FROM handles ORDER BY surface, handle").raw().all()).toEqual([
      ["maze", 7],
      ["textcraft", 1],
      ["textcraft", 4],
    ]);
  });

  test("keeps an alias without an episode until its time is over", () => {
    const { store, reopen } = open();
    const aliases = (log: LogStore) => [0, 1].map((alias) => log.findAlias("textcraft", alias)?.episodeId ?? null);
    store.transaction(() => {
      store.createEpisode(row(1, { id: createEpisodeId(1) }), "{}");
      for (const alias of [0, 1]) store.setAlias({ namespace: "textcraft", alias, owner: "ada", episodeId: "" });
      expect(store.prune(Number.MAX_SAFE_INTEGER, [], 10)).toBe(1);
      store.pruneAliases(Date.now() - 60_000);
    });
    expect(aliases(reopen())).toEqual(["", ""]);
    const again = reopen();
    again.transaction(() => again.pruneAliases(Date.now() + 60_000));
    expect(aliases(again), "without the highest alias, which stays").toEqual([null, ""]);
  });

  test("never reuses an alias", () => {
    const { store, reopen } = open();
    for (let alias = 0; alias < 5; alias++) {
      store.transaction(() => {
        expect(store.nextAlias("textcraft")).toBe(alias);
        const key = store.nextKey();
        const id = createEpisodeId(key);
        store.createEpisode(row(key, { id }), "{}");
        store.setAlias({ namespace: "textcraft", alias, owner: "ada", episodeId: id });
        store.prune(Number.MAX_SAFE_INTEGER, [], 10);
        store.pruneAliases(0);
      });
    }
    expect(reopen().nextAlias("textcraft")).toBe(5);
  });
});
