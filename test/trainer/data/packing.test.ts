import { describe, expect, test } from "vitest";
import { packed, RowPack } from "#palestra/trainer/data/packing.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";

const sequence = (length: number, first = 0) => ({
  tokens: Int32Array.from({ length }, (_, at) => first + at),
  mask: Uint8Array.from({ length }, (_, at) => at % 2),
});
const lengths = (packs: { tokens: Int32Array }[][]) => packs.map((pack) => pack.map(({ tokens }) => tokens.length));

test("the longest go first, each into the first pack with room", () => {
  expect(
    lengths(
      packed(
        [2, 7, 5, 3, 3, 10].map((length) => sequence(length)),
        10,
      ),
    ),
  ).toEqual([[10], [7, 3], [5, 3, 2]]);
});

test("every sequence is in one pack, and no pack is larger than it may be", () => {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + ((state >>> 8) % 100);
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

test.each([false, true])("a sequence longer than a pack is refused, with shared prefixes: %s", (shares) => {
  const rows = [sequence(11), sequence(11)];
  expect(() => packed(rows, 10, shares)).toThrow("expected sequences of at most 10 tokens, but received 11");
});

test("a pack has its sequences one after the other, and columns are parted as they were joined", () => {
  const rows = RowPack.of([sequence(3, 5), sequence(2, 9)]);
  expect([...rows.pack.tokens]).toEqual([5, 6, 7, 9, 10]);
  expect([...rows.pack.starts]).toEqual([0, 3, 5]);
  expect([...rows.pack.mask]).toEqual([0, 1, 0, 0, 1]);
  expect(rows.pack.parents).toBeUndefined();
  const columns = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5)];
  expect(rows.parted(rows.joined(columns))).toEqual(columns);
});

/** Tokens `prompt`, of which none is learnt, and sampled tokens after them. */
const row = (prompt: readonly number[], ...sampled: number[]) => ({
  tokens: Int32Array.from([...prompt, ...sampled]),
  mask: Uint8Array.from([...prompt.map(() => 0), ...sampled.map(() => 1)]),
});
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

describe("rows that begin with the same tokens", () => {
  test("share them but for the last, from which the first sampled token is predicted", () => {
    const prompt = range(100, 20);
    const rows = [row(prompt, 1, 2), row(prompt, 1, 3), row(prompt, 4)];
    const { pack } = RowPack.of(rows, true);
    expect([...pack.tokens]).toEqual([...range(100, 19), 119, 1, 2, 119, 1, 3, 119, 4]);
    expect([...pack.starts]).toEqual([0, 19, 22, 25, 27]);
    expect([...(pack.parents ?? [])]).toEqual([-1, 0, 0, 0]);
    expect([...pack.mask]).toEqual([...new Array(19).fill(0), 0, 1, 1, 0, 1, 1, 0, 1]);
  });

  test("share them in groups, and the groups what they have in common", () => {
    const system = range(100, 30);
    const [one, other] = [
      [...system, ...range(200, 20)],
      [...system, ...range(300, 25)],
    ];
    const rows = [row(one, 1), row(other, 2), row(one, 3), row(range(400, 8), 4), row(other, 5)];
    const packed = RowPack.of(rows, true);
    expect([...(packed.pack.parents ?? [])]).toEqual([-1, 0, 1, 1, 0, 4, 4, -1]);
    expect(packed.pack.tokens).toHaveLength(30 + 19 + 2 + 2 + 24 + 2 + 2 + 9);
    const columns = rows.map(({ tokens, mask }) =>
      Float32Array.from(tokens, (token, at) => token * (mask[at] as number)),
    );
    expect(packed.parted(packed.joined(columns))).toEqual(columns);
  });

  test("share neither sampled tokens nor a few tokens", () => {
    expect(RowPack.of([row(range(100, 16), 1), row(range(100, 16), 2)], true).pack.parents).toBeUndefined();
    const sampled = row([1], ...range(100, 40));
    expect(RowPack.of([sampled, sampled], true).pack.parents).toBeUndefined();
    // Sequences that part early share the longer beginnings of their groups.
    const groups = [5, 6].flatMap((first) => [
      row([1, first, ...range(100, 20)], 1),
      row([1, first, ...range(100, 20)], 2),
    ]);
    expect([...(RowPack.of(groups, true).pack.parents ?? [])]).toEqual([-1, 0, 0, -1, 3, 3]);
  });

  test("are in one pack as far as they fit, and the prefix is repeated in the next", () => {
    const prompt = range(100, 50);
    const group = range(0, 5).map((at) => row(prompt, ...range(at, 10)));
    const packs = packed([...group, row(range(500, 30), 1)], 49 + 3 * 11, true);
    expect(packs.map((rows) => rows.map((one) => [group.indexOf(one), one.tokens.length]))).toEqual([
      [
        [0, 60],
        [1, 60],
        [2, 60],
      ],
      [
        [3, 60],
        [4, 60],
      ],
      [[-1, 31]],
    ]);
  });

  test("have the tokens of the rows on the way from the first ancestor, in random trees", () => {
    const random = keyedRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < 30; round++) {
      const words = range(0, 4).map((word) => range(100 * (word + 1), 10 + below(15)));
      const rows = range(0, 12).map(() => {
        const prompt = range(0, 1 + below(4)).flatMap(() => words[below(4)] as number[]);
        return row(prompt, ...range(0, below(6)));
      });
      const maxTokens = 150;
      for (const some of packed(rows, maxTokens, true)) {
        const { pack } = RowPack.of(some, true);
        expect(pack.tokens.length).toBeLessThanOrEqual(maxTokens);
        const whole = range(0, pack.starts.length - 1)
          .filter((at) => !pack.parents?.includes(at))
          .map((at) => lineOf(pack, at));
        const key = (tokens: ArrayLike<number>) => Array.from(tokens).join();
        expect(whole.map(key).sort()).toEqual(some.map(({ tokens }) => key(tokens)).sort());
      }
      expect(new Set(packed(rows, maxTokens, true).flat())).toEqual(new Set(rows));
    }
  });
});

/** Tokens of a segment, after those of its ancestors. */
function lineOf({ tokens, starts, parents }: RowPack["pack"], segment: number): number[] {
  const parent = parents?.[segment] ?? -1;
  const own = [...tokens.subarray(starts[segment], starts[segment + 1])];
  return parent < 0 ? own : [...lineOf({ tokens, starts, parents } as RowPack["pack"], parent), ...own];
}
