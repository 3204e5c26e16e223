/** The parts of one request for several gyms. */
import { expect, test } from "vitest";
import { Parts } from "#palestra/server/fleet/parts.js";
import type { FleetMember } from "#palestra/server/log/records/protocol.js";

const [first, second] = ["first", "second"].map((address) => ({ address }) as FleetMember) as [
  FleetMember,
  FleetMember,
];

/** Parts whose messages are noted. A gym answers an item with the item in capital letters, and refuses `bad`. */
function partsOf(weightOf?: (item: string) => number) {
  const messages: string[] = [];
  const parts = new Parts<string, string>(async ({ address }, items) => {
    messages.push(`${address}: ${items.join(" ")}`);
    if (items.includes("lost")) throw new Error("the gym is lost");
    return items.map((item) => (item === "bad" ? new Error("refused") : item.toUpperCase()));
  }, weightOf);
  return { parts, messages };
}

test("each gym gets its parts in one message, and each part its own reply", async () => {
  const { parts, messages } = partsOf();
  const replies = [parts.add(first, "a"), parts.add(second, "b"), parts.add(first, "c")];
  expect(messages).toEqual([]);
  expect(await Promise.all(replies)).toEqual(["A", "B", "C"]);
  expect(messages).toEqual(["first: a c", "second: b"]);
});

test("a flush sends at once, and parts that come later are sent, too", async () => {
  const { parts, messages } = partsOf();
  const early = parts.add(first, "a");
  parts.flush();
  expect(messages).toEqual(["first: a"]);
  expect(await Promise.all([early, parts.add(first, "b")])).toEqual(["A", "B"]);
  expect(messages).toEqual(["first: a", "first: b"]);
});

test("a refused part is rejected alone, and all parts of a message with a gym that is lost", async () => {
  const { parts } = partsOf();
  const [good, bad, lost] = [parts.add(first, "a"), parts.add(first, "bad"), parts.add(second, "lost")];
  await expect(bad).rejects.toThrow("refused");
  await expect(lost).rejects.toThrow("the gym is lost");
  expect(await good).toBe("A");
});

test("messages have at most 65,536 characters, unless a part alone is longer", async () => {
  const { parts, messages } = partsOf((item) => Number(item));
  const items = ["40000", "25536", "1", "70000", "2", "3"];
  await Promise.all(items.map((item) => parts.add(first, item)));
  expect(messages).toEqual(["first: 40000 25536", "first: 1", "first: 70000", "first: 2 3"]);
});
