import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";

type Call = [name: string, ...args: number[]];
interface Run {
  seed: string;
  results: unknown[];
  wordsDigest: string;
  randbelowDigest: string;
  random53Digest: string;
}

/** Recorded from CPython by test/peers/record-rng.py. */
const recording = JSON.parse(
  readFileSync(new URL("../../../fixtures/rng/mersenne-twister.json", import.meta.url), "utf8"),
) as { long: number; calls: Call[]; runs: Run[] };

const range = (size: number) => Array.from({ length: size }, (_, i) => i);
const digest = (draw: (i: number) => number) =>
  createHash("sha256").update(range(recording.long).map(draw).join(",")).digest("hex");

function call(rng: MersenneTwister, [name, ...args]: Call): unknown {
  const [a = 0, b = 0] = args;
  switch (name) {
    case "getrandbits":
      return rng.getrandbits(a);
    case "_randbelow":
      return rng.randbelow(a);
    case "randint":
      return rng.randint(a, b);
    case "randrange":
      return rng.randrange(a, ...args.slice(1));
    case "uniform":
      return rng.uniform(a, b);
    case "choice":
      return rng.choice(range(a));
    case "shuffle": {
      const items = range(a);
      rng.shuffle(items);
      return items;
    }
    case "sample":
      return rng.sample(range(a), b);
    default:
      return rng.random();
  }
}

/** A recorded result. Integers that a double cannot represent are strings. */
function plain(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return value > 2n ** 53n ? String(value) : Number(value);
}

describe("published vectors", () => {
  // mt19937ar.out of Matsumoto and Nishimura's mt19937ar: init_by_array({0x123, 0x234, 0x345, 0x456}).
  test("the key 0x123, 0x234, 0x345, 0x456 gives the reference output", () => {
    const rng = new MersenneTwister(0x456_00000345_00000234_00000123n);
    expect(range(5).map(() => rng.nextUint32())).toEqual([1067595299, 955945823, 477289528, 4107218783, 4228976476]);
  });

  // test_strong_reference_implementation in CPython's Lib/test/test_random.py: the last ten of 2000 numbers.
  test("the seed of CPython's own test gives its reference list", () => {
    const rng = new MersenneTwister(61731n + (24903n << 32n) + (614n << 64n) + (42143n << 96n));
    const bits = range(2000).map(() => rng.random() * 2 ** 53);
    expect(bits.slice(-10)).toEqual([
      0x0eab3258d2231f, 0x1b89db315277a5, 0x1db622a5518016, 0x0b7f9af0d575bf, 0x029e4c4db82240, 0x04961892f5d673,
      0x02b291598e4589, 0x11388382c15694, 0x02dad977c9e1fe, 0x191d96d4d334c6,
    ]);
  });
});

describe.each(recording.runs)("CPython with seed $seed", (run) => {
  const seed = BigInt(run.seed);

  test("a mixed sequence of draws agrees", () => {
    const rng = new MersenneTwister(seed);
    expect(recording.calls.map((each) => plain(call(rng, each)))).toEqual(run.results);
  });

  test("long sequences of draws agree", () => {
    const rng = new MersenneTwister(seed);
    expect(digest(() => rng.getrandbits(32) as number)).toBe(run.wordsDigest);
    expect(digest((i) => rng.randbelow(1 + (i % 1000)))).toBe(run.randbelowDigest);
    expect(digest(() => rng.random() * 2 ** 53)).toBe(run.random53Digest);
  });
});

describe("MersenneTwister", () => {
  test("a seed and its negative give the same draws", () => {
    expect(new MersenneTwister(-42).random()).toBe(new MersenneTwister(42n).random());
  });

  test("up to 32 random bits are a number and more are a bigint", () => {
    const rng = new MersenneTwister(0);
    expect([0, 1, 32].map((k) => typeof rng.getrandbits(k))).toEqual(["number", "number", "number"]);
    expect(typeof rng.getrandbits(33)).toBe("bigint");
  });

  test("a sample does not change the list of items", () => {
    const items = range(10);
    new MersenneTwister(1).sample(items, 10);
    expect(items).toEqual(range(10));
  });

  test("a clone continues from the same position in the block and is independent", () => {
    const rng = new MersenneTwister(5);
    for (let i = 0; i < 600; i++) rng.nextUint32();
    const copy = rng.clone();
    const fromCopy = range(100).map(() => copy.nextUint32());
    expect(range(100).map(() => rng.nextUint32())).toEqual(fromCopy);
  });

  test.each<[string, (rng: MersenneTwister) => unknown]>([
    ["a random number below 0", (rng) => rng.randbelow(0)],
    ["a random number below 2^53 + 2", (rng) => rng.randbelow(2 ** 53 + 2)],
    ["a random number below 2.5", (rng) => rng.randbelow(2.5)],
    ["an empty randint", (rng) => rng.randint(3, 2)],
    ["an empty randrange", (rng) => rng.randrange(3, 3)],
    ["a randrange that steps away", (rng) => rng.randrange(3, 9, -2)],
    ["a randrange with step 0", (rng) => rng.randrange(3, 9, 0)],
    ["a choice from nothing", (rng) => rng.choice([])],
    ["a sample of more than there is", (rng) => rng.sample([1, 2], 3)],
    ["a sample of -1", (rng) => rng.sample([1, 2], -1)],
    ["a negative number of bits", (rng) => rng.getrandbits(-1)],
    ["a seed with a fraction", () => new MersenneTwister(0.5)],
    ["a number beyond 2^53 - 1 as seed", () => new MersenneTwister(2 ** 53)],
  ])("%s is refused", (_, act) => {
    expect(() => act(new MersenneTwister(0))).toThrow(RangeError);
  });
});
