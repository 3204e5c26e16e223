/** Values that are derived from files: they are derived again after a change of the file, and only then. */
import { appendFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RecentCache } from "#palestra/server/runs/cache.js";
import { Derived, stampOf } from "#palestra/server/runs/derived.js";
import { scratchDir } from "../../support/gym.js";

test("a value is derived once for many calls, and again after each kind of change", async () => {
  const folder = scratchDir();
  const [file, other] = [join(folder, "a"), join(folder, "b")];
  let derivations = 0;
  const derived = new Derived([file, other], async () => ++derivations);
  const callTwice = async () => [await derived.get(), await derived.get()];
  expect(await callTwice()).toEqual([1, 1]);
  writeFileSync(file, "1");
  expect(await callTwice()).toEqual([2, 2]);
  appendFileSync(file, "2");
  expect(await callTwice()).toEqual([3, 3]);
  writeFileSync(other, "34");
  expect(await callTwice()).toEqual([4, 4]);
  // Another file of the same size and time.
  writeFileSync(`${file}.new`, "21");
  utimesSync(`${file}.new`, 1, 1);
  utimesSync(file, 1, 1);
  expect(await callTwice()).toEqual([5, 5]);
  renameSync(`${file}.new`, file);
  expect(await callTwice()).toEqual([6, 6]);
  rmSync(file);
  expect(await callTwice()).toEqual([7, 7]);
});

test("an error is not kept, and calls at the same time share one derivation", async () => {
  let calls = 0;
  const derived = new Derived([join(scratchDir(), "none")], async () => {
    calls += 1;
    if (calls === 1) throw new Error("first");
    return calls;
  });
  const both = await Promise.allSettled([derived.get(), derived.get()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([derived.get(), derived.get()])).toEqual([2, 2]);
});

test("a path that cannot be read has an empty stamp", () => {
  const file = join(scratchDir(), "a");
  writeFileSync(file, "1");
  expect(stampOf([join(file, "inside"), join(file, "\0")])).toBe("\n");
});

test("the cache keeps the most recently used values", () => {
  const cache = new RecentCache<string>(2);
  for (const key of ["a", "b", "a", "c"]) cache.get(key, () => `${key}1`);
  expect(["a", "c", "b"].map((key) => cache.get(key, () => `${key}2`))).toEqual(["a1", "c1", "b2"]);
});
