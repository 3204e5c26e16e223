import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { scratchDir } from "../../support/gym.js";
import {
  all,
  appendAll,
  episodes,
  expected,
  fill,
  interleaved,
  lengthOf,
  many,
  open,
  plain,
  row,
  step,
} from "./store-rig.js";

describe("steps", () => {
  test("are read as appended, from any index up to any limit, whether indexed on disk or in memory", () => {
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

  test("are complete after the log is reopened", () => {
    for (const total of [10, 16_383, 16_384, 16_385, many]) {
      const { store, reopen } = open();
      fill(store, 0, total);
      const again = reopen();
      for (const episode of [1, 3, 7]) expect(all(again, episode)).toEqual(expected(lengthOf(episode, total)));
      fill(again, total, total + 100);
      for (const episode of [1, 3, 7]) expect(all(again, episode)).toEqual(expected(lengthOf(episode, total + 100)));
    }
  });

  test("are read up to a number of characters, but always at least one step", () => {
    const { store } = open();
    const page = new StepPageWriter();
    for (let i = 0; i < 10; i++) page.add(1, i, "a".repeat(50), "r".repeat(50), 0);
    store.transaction(() => store.appendPage(page.take()));
    expect(store.readSteps(1, 0, 10, 350).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(store.readSteps(1, 4, 10, 1).map(({ index }) => index)).toEqual([4]);
    expect(store.readSteps(1, 0, 2, 350).map(({ index }) => index)).toEqual([0, 1]);
  });

  test.each([
    ["a few steps", 100, 10],
    ["enough steps to move the index to disk", 100, many],
    ["steps that fill the index", 16_380, 10],
  ])("of a rolled-back transaction are removed: %s", (_, before, lost) => {
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

test("more than 4096 steps in a page are refused, and none is logged", () => {
  const { store } = open();
  store.createEpisode(row(1), "opening");
  const steps = Array.from({ length: 4_097 }, (_, index) => [1, step(index), 0] as const);
  expect(() => store.transaction(() => appendAll(store, steps))).toThrow(
    "expected at most 4096 steps in a page, but received 4097",
  );
  store.transaction(() => appendAll(store, steps.slice(0, -1)));
  expect(all(store, 1)).toEqual(expected(4_096));
});

test("a failed transaction prepares no new statement", () => {
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

test("only the newest row of an alias counts, and its number is never reused", () => {
  const { store, reopen } = open();
  const row = { namespace: "textcraft", alias: 0, owner: "ada", episodeId: "ep-1" };
  expect(store.nextAlias("textcraft")).toBe(0);
  store.transaction(() => {
    store.setAlias(row);
    store.setAlias({ ...row, episodeId: "ep-2" });
    store.setAlias({ ...row, namespace: "maze", alias: 8 });
  });
  for (const now of [() => store, reopen]) {
    const log = now();
    expect(log.findAlias("textcraft", 0)).toMatchObject({ episodeId: "ep-2" });
    expect(log.findAlias("textcraft", 1)).toBeNull();
    expect([log.nextAlias("textcraft"), log.nextAlias("maze")]).toEqual([1, 9]);
  }
});

describe("a file that cannot be opened is refused", () => {
  test("while another store has it open", () => {
    const { path, reopen } = open();
    expect(() => new LogStore(path, "normal")).toThrow(/locked/);
    expect(reopen().nextKey()).toBe(1);
  });

  test("if its schema has another version", () => {
    const path = join(scratchDir(), "log.db");
    const other = openDatabase(path);
    other.pragma("user_version = 99");
    other.close();
    expect(() => new LogStore(path, "normal")).toThrow(
      "expected an episode log with schema version 3 to 9, but received version 99",
    );
  });

  test("if it is not a database, or its folder does not exist", () => {
    const path = join(scratchDir(), "log.db");
    writeFileSync(path, "not a database, but long enough to be looked at ".repeat(100));
    expect(() => new LogStore(path, "normal")).toThrow(/not a database/);
    expect(() => new LogStore(join(path, "log.db"), "normal")).toThrow();
  });
});
