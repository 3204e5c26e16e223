import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createEpisodeId } from "#palestra/server/episodes/episode-id.js";
import type { Ended } from "#palestra/server/episodes/host-protocol.js";
import type { EpisodeRow } from "#palestra/server/episodes/log-protocol.js";
import { LogStore } from "#palestra/server/episodes/log-store.js";
import { type LoggedStep, StepPageWriter } from "#palestra/server/episodes/step-page.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";

/** More than the table indexes in memory, so that reads cross from disk to memory. */
const many = 20_000;
const episodes = 7;

function open(path = join(scratchDir(), "log.db")): { store: LogStore; reopen(): LogStore; path: string } {
  let store = new LogStore(path, "normal");
  onTestFinished(() => store.close());
  const reopen = () => {
    store.close();
    store = new LogStore(path, "normal");
    return store;
  };
  return { store, reopen, path };
}

const row = (key: number, more: Partial<EpisodeRow> = {}): EpisodeRow =>
  episodeRow(key, { createdAtMs: 1_000 * key, ...more });

type Step = Omit<LoggedStep, "ended">;

const step = (index: number): Step => ({ index, action: `a${index}`, reply: `{"index":${index}}` });

/** The i-th step of all, as the episodes take turns. */
const interleaved = (i: number): [number, Step, Ended] => [(i % episodes) + 1, step(Math.floor(i / episodes)), 0];

/** Steps of `episodes` episodes, interleaved, each transaction with a few of them. */
function fill(store: LogStore, from: number, to: number): void {
  for (let at = from; at < to; at += 50) {
    const steps = Array.from({ length: Math.min(50, to - at) }, (_, i) => interleaved(at + i));
    store.transaction(() => appendAll(store, steps));
  }
}

function append(store: LogStore, episode: number, index: number, ended: Ended = 0): void {
  appendAll(store, [[episode, step(index), ended]]);
}

function appendAll(store: LogStore, steps: readonly (readonly [number, Step, Ended])[]): void {
  const page = new StepPageWriter();
  for (const [episode, { index, action, reply }, ended] of steps) page.add(episode, index, action, reply, ended);
  store.appendPage(page.take());
}

const plain = (rows: Step[]): Step[] => rows.map(({ index, action, reply }) => ({ index, action, reply }));
const lengthOf = (episode: number, total = many) => Math.ceil((total - (episode - 1)) / episodes);
const all = (store: LogStore, episode: number) => plain(store.readSteps(episode, 0, Number.MAX_SAFE_INTEGER));
const expected = (length: number) => Array.from({ length }, (_, i) => step(i));

describe("steps", () => {
  test("are read as they were appended, from any index and to any limit, on disk's index and off it", () => {
    const { store } = open();
    fill(store, 0, many);
    for (const episode of [1, 4, 7]) {
      const length = lengthOf(episode);
      expect(all(store, episode)).toEqual(expected(length));
      const boundary = Math.floor(16_384 / episodes);
      for (const from of [
        0,
        1,
        1_000,
        boundary - 3,
        boundary - 1,
        boundary,
        boundary + 1,
        length - 1,
        length,
        length + 5,
      ]) {
        for (const limit of [1, 2, 7, 1_000]) {
          expect(plain(store.readSteps(episode, from, limit)), `${limit} from ${from}`).toEqual(
            expected(length).slice(from, from + limit),
          );
        }
      }
      expect(store.findEpisode(episode)).toBeNull();
    }
    expect(store.readSteps(99, 0, 10)).toEqual([]);
  });

  test("are all there after the log was opened again, wherever its index stood", () => {
    for (const total of [10, 16_383, 16_384, 16_385, many]) {
      const { store, reopen } = open();
      fill(store, 0, total);
      const again = reopen();
      for (const episode of [1, 3, 7]) expect(all(again, episode)).toEqual(expected(lengthOf(episode, total)));
      fill(again, total, total + 100);
      for (const episode of [1, 3, 7]) expect(all(again, episode)).toEqual(expected(lengthOf(episode, total + 100)));
    }
  });

  test("are read to a number of characters, and at least one of them", () => {
    const { store } = open();
    const page = new StepPageWriter();
    for (let i = 0; i < 10; i++) page.add(1, i, "a".repeat(50), "r".repeat(50), 0);
    store.transaction(() => store.appendPage(page.take()));
    expect(store.readSteps(1, 0, 10, 350).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(store.readSteps(1, 4, 10, 1).map(({ index }) => index)).toEqual([4]);
    expect(store.readSteps(1, 0, 2, 350).map(({ index }) => index)).toEqual([0, 1]);
  });

  test.each([
    ["a few", 100, 10],
    ["so many that they were indexed within it", 100, many],
    ["those that fill the index", 16_380, 10],
  ])("of a transaction that was rolled back are nowhere: %s", (_, before, lost) => {
    const { store, reopen } = open();
    fill(store, 0, before);
    const fault = new Error("as asked");
    expect(() =>
      store.transaction(() => {
        for (let i = before; i < before + lost; i++) appendAll(store, [interleaved(i)]);
        store.createEpisode(row(5), "{}");
        store.mark(5, "closed", "");
        throw fault;
      }),
    ).toThrow(fault);
    const check = (log: LogStore, total: number) => {
      for (const episode of [1, 2, 7]) expect(all(log, episode)).toEqual(expected(lengthOf(episode, total)));
    };
    check(store, before);
    expect(store.findEpisode(5)).toBeNull();
    fill(store, before, before + lost);
    check(store, before + lost);
    check(reopen(), before + lost);
  });
});

test("more steps than a page has places are refused, and nothing of them is logged", () => {
  const { store } = open();
  store.createEpisode(row(1), "opening");
  const steps = Array.from({ length: 4_097 }, (_, index) => [1, step(index), 0] as const);
  expect(() => store.transaction(() => appendAll(store, steps))).toThrow(
    "expected at most 4096 steps in a page, but received 4097",
  );
  store.transaction(() => appendAll(store, steps.slice(0, -1)));
  expect(all(store, 1)).toEqual(expected(4_096));
});

test("a transaction that fails has the log read nothing again", () => {
  const { store } = open();
  fill(store, 0, 1_000);
  const prepared = vi.spyOn(Database.prototype, "prepare");
  onTestFinished(() => prepared.mockRestore());
  const fault = new Error("as asked");
  expect(() =>
    store.transaction(() => {
      appendAll(store, [interleaved(1_000)]);
      throw fault;
    }),
  ).toThrow(fault);
  expect(prepared.mock.calls).toEqual([]);
});

describe("an episode", () => {
  test("is found with its newest step, its end and its marks", () => {
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
      last: step(1),
      ended: 2,
      closed: false,
      failure: { code: "ENVIRONMENT_THREW" },
      expertUsed: true,
    });
    expect(store.findEpisode(2)).toBeNull();
  });

  test("cannot be logged twice under one key, nor two under one idempotency key of an owner", () => {
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

  test("is held without its opening, which is read by itself", () => {
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
      expect([1, 2, 3].map((key) => log.readOpening(key))).toEqual([...Array(2).fill('{"observation":"long"}'), null]);
    }
  });

  test("that is a fork has the first steps of the other, and the mark of the expert", () => {
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
      expect(log.findEpisode(100)).toMatchObject({ steps: 2_501, expertUsed: true, closed: false });
    }
  });

  test("that is a fork goes on by itself, on disk's index and off it", () => {
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
    const file = new Database(path, { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare("SELECT count(*) FROM pages").pluck().get()).toBe(many / 50);
  });

  test("is forked only with as many steps as it has", () => {
    const { store } = open();
    fill(store, 0, 70);
    const fork = (count: number) => store.transaction(() => store.forkEpisode(row(100 + count), 1, count));
    expect(() => fork(11)).toThrow("expected 11 steps of episode 1, but received 10");
    expect(() => store.transaction(() => store.forkEpisode(row(100), 99, 1))).toThrow(/received 0/);
    expect(store.findEpisode(111)).toBeNull();
    fork(10);
    expect(all(store, 110)).toEqual(expected(10));
  });

  test("is listed with its owner's, newest first, from a key on", () => {
    const { store } = open();
    store.transaction(() => {
      for (let key = 1; key <= 6; key++) store.createEpisode(row(key, { owner: key % 2 === 0 ? "ada" : "bob" }), "{}");
    });
    const keys = (before: number, limit: number) => store.listEpisodes("ada", before, limit).map(({ key }) => key);
    expect([keys(Number.MAX_SAFE_INTEGER, 10), keys(6, 1), keys(2, 10)]).toEqual([[6, 4, 2], [4], []]);
  });
});

describe("pruning", () => {
  test("forgets what is older and not kept, with its steps and marks, so many at a time", () => {
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

  test("keeps the steps that a fork has of a forgotten episode, and forgets them with the fork", () => {
    const { store, reopen, path } = open();
    const pages = () => {
      reopen().close();
      const file = new Database(path, { readonly: true });
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
    expect(pages()).toBe(20);
    const again = reopen();
    again.transaction(() => append(again, 100, 50));
    expect(all(again, 100)).toEqual(expected(51));
    again.transaction(() => again.prune(500_000, [], 10));
    expect(pages()).toBe(0);
  });

  test("gives no key a second time", () => {
    const { store, reopen } = open();
    store.transaction(() => {
      store.createEpisode(row(store.nextKey()), "{}");
      store.createEpisode(row(store.nextKey()), "{}");
      store.prune(Number.MAX_SAFE_INTEGER, [], 10);
    });
    expect(store.nextKey()).toBe(3);
    expect(reopen().nextKey()).toBe(3);
  });

  test("forgets handles whose episode is gone or that were closed, and every older word on the others", () => {
    const { store, reopen, path } = open();
    const ids = [1, 2, 3, 4].map(createEpisodeId);
    const say = (surface: string, handle: number, key: number | null) =>
      store.setHandle({ surface, handle, owner: "ada", episodeId: key === null ? null : (ids[key - 1] as string) });
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
    const check = (log: LogStore) => {
      const standing = [0, 1, 2, 3].map((handle) => log.findHandle("textcraft", handle)?.episodeId ?? null);
      expect(standing).toEqual([null, ids[3], null, null]);
      expect([log.nextHandle("textcraft"), log.nextHandle("maze")]).toEqual([5, 8]);
    };
    check(store);
    check(reopen());
    reopen().close();
    const file = new Database(path, { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare("SELECT surface, handle FROM handles ORDER BY surface, handle").raw().all()).toEqual([
      ["maze", 7],
      ["textcraft", 1],
      ["textcraft", 4],
    ]);
  });

  test("gives no handle a second time, however often it forgets", () => {
    const { store, reopen } = open();
    for (let handle = 0; handle < 5; handle++) {
      store.transaction(() => {
        expect(store.nextHandle("textcraft")).toBe(handle);
        const key = store.nextKey();
        const id = createEpisodeId(key);
        store.createEpisode(row(key, { id }), "{}");
        store.setHandle({ surface: "textcraft", handle, owner: "ada", episodeId: id });
        store.prune(Number.MAX_SAFE_INTEGER, [], 10);
      });
    }
    expect(reopen().nextHandle("textcraft")).toBe(5);
  });
});

test("the newest word on a handle counts, and its number is not given again", () => {
  const { store, reopen } = open();
  const handle = { surface: "textcraft", handle: 0, owner: "ada", episodeId: "ep-1" };
  expect(store.nextHandle("textcraft")).toBe(0);
  store.transaction(() => {
    store.setHandle(handle);
    store.setHandle({ ...handle, episodeId: "ep-2" });
    store.setHandle({ ...handle, surface: "maze", handle: 8 });
  });
  for (const now of [() => store, reopen]) {
    const log = now();
    expect(log.findHandle("textcraft", 0)).toMatchObject({ episodeId: "ep-2" });
    expect(log.findHandle("textcraft", 1)).toBeNull();
    expect([log.nextHandle("textcraft"), log.nextHandle("maze")]).toEqual([1, 9]);
  }
});

describe("a file that is not to be had is refused", () => {
  test("while another has it open", () => {
    const { path, reopen } = open();
    expect(() => new LogStore(path, "normal")).toThrow(/locked/);
    expect(reopen().nextKey()).toBe(1);
  });

  test("of another version of the schema", () => {
    const path = join(scratchDir(), "log.db");
    const other = new Database(path);
    other.pragma("user_version = 99");
    other.close();
    expect(() => new LogStore(path, "normal")).toThrow("expected an episode log of schema 3, but received 99");
  });

  test("that is no database, or in no folder", () => {
    const path = join(scratchDir(), "log.db");
    writeFileSync(path, "not a database, but long enough to be looked at ".repeat(100));
    expect(() => new LogStore(path, "normal")).toThrow(/not a database/);
    expect(() => new LogStore(join(path, "log.db"), "normal")).toThrow();
  });
});
