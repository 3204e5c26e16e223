import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Pcg64, SeedSequence } from "#palestra/envs/shared/rng/pcg64.js";

type Call = [name: string, ...args: number[]];
interface Run {
  seed: string;
  pool: number[];
  words: number[];
  raw: string[];
  results: unknown[];
  integersDigest: string;
  wideDigest: string;
  random53Digest: string;
}

/** Recorded from numpy by test/peers/record-rng.py. */
const recording = JSON.parse(readFileSync(new URL("../../../fixtures/rng/pcg64.json", import.meta.url), "utf8")) as {
  long: number;
  calls: Call[];
  runs: Run[];
};

const range = (size: number) => Array.from({ length: size }, (_, i) => i);
const digest = (draw: (i: number) => number) =>
  createHash("sha256").update(range(recording.long).map(draw).join(",")).digest("hex");

function call(rng: Pcg64, [name, a = 0, b = 0]: Call): unknown {
  switch (name) {
    case "integers":
      return rng.integers(a, b);
    case "uniform":
      return rng.uniform(a, b);
    case "choice":
      return rng.choice(range(a));
    case "shuffle": {
      const items = range(a);
      rng.shuffle(items);
      return items;
    }
    default:
      return rng.random();
  }
}

/** Combines 32-bit words into an integer, least significant first. */
const fromWords = (words: readonly number[]) => words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);

describe("published vectors", () => {
  // numpy/random/tests/test_seed_sequence.py, made with the C++ reference of O'Neill's seed_seq_fe.
  test.each([
    [
      [3735928559, 195939070, 229505742, 305419896],
      [3914649087, 576849849, 3593928901, 2229911004],
    ],
    [
      [3668361503, 4165561550, 1661411377, 3634257570],
      [2240804226, 3691353228, 1365957195, 2654016646],
    ],
    [
      [164546577, 4166754639, 1765190214, 1303880213],
      [3562296087, 3191708229, 1147942216, 3726991905],
    ],
    [
      [446610472, 3941463886, 522937693, 1882353782],
      [1403443605, 3591372999, 1291086759, 441919183],
    ],
    [
      [1864922766, 1719732118, 3882010307, 1776744564],
      [1086200464, 2191331643, 560336446, 3658716651],
    ],
    [
      [4141682960, 3310988675, 553637289, 902896340],
      [3249937430, 2346751812, 847844327, 2996632307],
    ],
    [
      [1134851934, 2352871630, 3699409824, 2648159817],
      [2584285912, 4034195531, 3523502488, 169742686],
    ],
    [
      [1240956131, 3107113773, 1283198141, 1924506131],
      [959045797, 3875435559, 1886309314, 359682705],
    ],
    [
      [2669565031, 579818610, 3042504477, 2774880435],
      [3978441347, 432478529, 3223635119, 138903045],
    ],
    [
      [2766103236, 2883057919, 4029656435, 862374500],
      [296367413, 4262059219, 13109864, 3283683422],
    ],
  ])("SeedSequence of the words %j gives the published state", (entropy, state) => {
    expect([...new SeedSequence(fromWords(entropy)).generateState(4)]).toEqual(state);
  });

  test("SeedSequence(42) keeps numpy 1.17's words", () => {
    expect([...new SeedSequence(42).generateState(4)]).toEqual([3444837047, 2669555309, 2046530742, 3581440988]);
  });

  // numpy/random/tests/data/pcg64-testset-1.csv
  test("PCG64 seeded with 0xdeadbeaf gives numpy's test set", () => {
    const rng = new Pcg64(0xdeadbeaf);
    const outputs = range(1000).map(() => rng.nextUint64());
    expect(outputs.slice(0, 4)).toEqual([
      0x60d24054e17a0698n,
      0xd5e79d89856e4f12n,
      0xd254972fe64bd782n,
      0xf1e3072a53c72571n,
    ]);
    expect(outputs[999]).toBe(0xa5cb380b8de10d10n);
  });
});

describe.each(recording.runs)("numpy with seed $seed", (run) => {
  const seed = BigInt(run.seed);

  test("the entropy pool and the seed words agree", () => {
    const sequence = new SeedSequence(seed);
    expect([...sequence.pool]).toEqual(run.pool);
    expect([...sequence.generateState(8)]).toEqual(run.words);
  });

  test("the first outputs agree", () => {
    const rng = new Pcg64(seed);
    expect(run.raw.map(() => String(rng.nextUint64()))).toEqual(run.raw);
  });

  test("a mixed sequence of draws agrees", () => {
    const rng = new Pcg64(seed);
    expect(recording.calls.map((each) => call(rng, each))).toEqual(run.results);
  });

  test("long sequences of draws agree", () => {
    const rng = new Pcg64(seed);
    expect(digest((i) => rng.integers(0, 1 + (i % 1000)))).toBe(run.integersDigest);
    expect(digest((i) => rng.integers(0, 2 ** 31 + 1 + i))).toBe(run.wideDigest);
    expect(digest(() => rng.random() * 2 ** 53)).toBe(run.random53Digest);
  });
});

describe("Pcg64", () => {
  test.each([0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 1, 2 ** 53 - 1])(
    "the number %d and the bigint of the same value give the same state",
    (seed) => {
      expect(new Pcg64(seed).nextUint64()).toBe(new Pcg64(BigInt(seed)).nextUint64());
    },
  );

  test("seed() resets it to the state of a new generator, without the spare half", () => {
    const [rng, fresh] = [new Pcg64(5), new Pcg64(7)];
    rng.nextUint32();
    rng.seed(7);
    expect(range(20).map(() => rng.nextUint32())).toEqual(range(20).map(() => fresh.nextUint32()));
  });

  test("a refused seed does not change the state", () => {
    const [rng, untouched] = [new Pcg64(5), new Pcg64(5)];
    expect(() => rng.seed(-1)).toThrow(RangeError);
    expect(rng.nextUint64()).toBe(untouched.nextUint64());
  });

  test("a 32-bit draw gives the low half of an output and the next one its high half", () => {
    const [halves, whole] = [new Pcg64(7), new Pcg64(7)];
    const output = whole.nextUint64();
    expect(BigInt(halves.nextUint32())).toBe(output & 0xffffffffn);
    expect(BigInt(halves.nextUint32())).toBe(output >> 32n);
  });

  test("a 64-bit draw between two 32-bit ones keeps the spare half", () => {
    const [rng, whole] = [new Pcg64(7), new Pcg64(7)];
    const output = whole.nextUint64();
    rng.nextUint32();
    expect(rng.random()).toBe(whole.random());
    expect(BigInt(rng.nextUint32())).toBe(output >> 32n);
  });

  test("a range of one value makes no draw", () => {
    const [rng, untouched] = [new Pcg64(3), new Pcg64(3)];
    expect(rng.integers(9, 10)).toBe(9);
    expect(rng.nextUint64()).toBe(untouched.nextUint64());
  });

  test("a clone continues from the same state, spare half included, and is independent", () => {
    const rng = new Pcg64(5);
    rng.integers(0, 6);
    const copy = rng.clone();
    const fromCopy = range(20).map(() => copy.integers(0, 1000));
    expect(range(20).map(() => rng.integers(0, 1000))).toEqual(fromCopy);
  });

  test.each([
    [0, 0],
    [1, 0],
    [0, 2 ** 53 + 2],
    [-(2 ** 53) + 1, 2 ** 53 - 1],
    [0.5, 3.5],
    [0, Number.NaN],
    [2 ** 53, 2 ** 53 + 2],
  ])("integers from %d to %d are refused", (low, high) => {
    expect(() => new Pcg64(0).integers(low, high)).toThrow(RangeError);
  });

  test.each([-1, -1n, 0.5, 2 ** 53, Number.NaN])("the seed %s is refused", (seed) => {
    expect(() => new Pcg64(seed)).toThrow(RangeError);
  });

  test("a choice from nothing is refused", () => {
    expect(() => new Pcg64(0).choice([])).toThrow(RangeError);
  });
});
