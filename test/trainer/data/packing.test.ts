import { expect, test } from "vitest";
import { joined, packed, packOf, parted } from "#palestra/trainer/data/packing.js";

const sequence = (length: number, first = 0) => ({
  tokens: Int32Array.from({ length }, (_, at) => first + at),
  mask: Uint8Array.from({ length }, (_, at) => at % 2),
});
const lengths = (packs: { tokens: Int32Array }[][]) => packs.map((pack) => pack.map(({ tokens }) => tokens.length));

test("the longest go first, each into the first pack with room", () => {
  expect(lengths(packed([2, 7, 5, 3, 3, 10].map((length) => sequence(length)), 10))).toEqual([[10], [7, 3], [5, 3, 2]]);
});

test("every sequence is in one pack, and no pack is larger than it may be", () => {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + (state >>> 8) % 100;
  };
  for (let round = 0; round < 50; round++) {
    const sequences = Array.from({ length: 40 }, () => sequence(random()));
    const packs = packed(sequences, 128);
    expect(new Set(packs.flat())).toEqual(new Set(sequences));
    const sizes = lengths(packs).map((pack) => pack.reduce((sum, length) => sum + length, 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(128);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(packs.length).toBeLessThanOrEqual((11 / 9) * 2 * Math.ceil(total / 128) + 1);
  }
});

test("a sequence longer than a pack is refused", () => {
  expect(() => packed([sequence(11)], 10)).toThrow("expected sequences of at most 10 tokens, but received 11");
});

test("a pack has its sequences one after the other, and columns are parted as they were joined", () => {
  const pack = packOf([sequence(3, 5), sequence(2, 9)]);
  expect([...pack.tokens]).toEqual([5, 6, 7, 9, 10]);
  expect([...pack.starts]).toEqual([0, 3, 5]);
  expect([...pack.mask]).toEqual([0, 1, 0, 0, 1]);
  const columns = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5)];
  expect(parted(joined(columns), pack.starts)).toEqual(columns);
});
