import { expect, test } from "vitest";
import { Recent } from "#palestra/envs/shared/kept/recent.js";

test("the least recently used value is evicted", () => {
  const recent = new Recent<number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  expect(recent.get("a")).toBe(1);
  recent.set("c", 3);
  expect(["a", "b", "c"].map((key) => recent.get(key))).toEqual([1, undefined, 3]);
  recent.set("a", 4);
  expect(["a", "c"].map((key) => recent.get(key))).toEqual([4, 3]);
});
