import { expect, test } from "vitest";
import { idOf, nameOf, OwnedValues, randomId } from "#palestra/server/adapter/session-ids.js";

test("a random id is a safe integer, and only its own text is read as it", () => {
  for (let i = 0; i < 1_000; i++) {
    const id = randomId();
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(idOf(nameOf(id))).toBe(id);
  }
  for (const name of ["", "s", "s-1", "s01", "sA", "7", `s${"z".repeat(12)}`]) expect(idOf(name)).toBeNull();
});

test("an owner at the limit loses the oldest value to a new one, and other owners lose none", () => {
  const values = new OwnedValues<string>(3);
  expect(values.set("ada", 1, "first")).toBeUndefined();
  for (const id of [10, 11, 12]) expect(values.set("bob", id, `${id}`)).toBeUndefined();
  for (const id of [13, 14, 15, 16]) expect(values.set("bob", id, `${id}`)).toBe(id - 3);
  expect(values.get(1)).toBe("first");
  expect([10, 11, 12, 13, 14, 15, 16].filter((id) => values.has(id))).toEqual([14, 15, 16]);
});

test("a value that is set again counts once and is the newest", () => {
  const values = new OwnedValues<number>(2);
  values.set("ada", 1, 1);
  values.set("ada", 2, 2);
  expect(values.set("ada", 1, 3)).toBeUndefined();
  expect(values.set("ada", 3, 4)).toBe(2);
  expect([1, 2, 3].map((id) => values.get(id))).toEqual([3, undefined, 4]);
  values.delete(1);
  expect(values.set("ada", 4, 5)).toBeUndefined();
  expect(values.get(1)).toBeUndefined();
});
