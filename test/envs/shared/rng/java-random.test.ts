import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { JavaRandom } from "#palestra/envs/shared/rng/java-random.js";

type Call = [name: string, bound?: number];
interface Run {
  seed: string;
  results: unknown[];
  intsDigest: string;
  gaussianBitsDigest: string;
}

/** Recorded from the JDK by test/peers/record-java-random.java. */
const recording = JSON.parse(
  readFileSync(new URL("../../../fixtures/rng/java-random.json", import.meta.url), "utf8"),
) as {
  long: number;
  calls: Call[];
  runs: Run[];
};

const range = (size: number) => Array.from({ length: size }, (_, i) => i);
const digest = (draw: (i: number) => number | string) =>
  createHash("sha256").update(range(recording.long).map(draw).join(",")).digest("hex");

function call(random: JavaRandom, [name, bound]: Call): unknown {
  switch (name) {
    case "nextInt":
      return bound === undefined ? random.nextInt() : random.nextInt(bound);
    case "nextLong":
      return String(random.nextLong());
    case "nextFloat":
      return random.nextFloat();
    case "nextBoolean":
      return random.nextBoolean();
    case "nextGaussian":
      return random.nextGaussian();
    default:
      return random.nextDouble();
  }
}

const view = new DataView(new ArrayBuffer(8));
function bitsOf(value: number): string {
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

describe("published vectors", () => {
  test("the seeds 0 and 42 give the ints that tutorials print", () => {
    const [zero, fortyTwo] = [new JavaRandom(0), new JavaRandom(42)];
    expect([zero.nextInt(), zero.nextInt()]).toEqual([-1155484576, -723955400]);
    expect([fortyTwo.nextInt(), fortyTwo.nextInt()]).toEqual([-1170105035, 234785527]);
  });
});

describe.each(recording.runs)("java.util.Random with seed $seed", (run) => {
  const seed = BigInt(run.seed);

  test("a mixed sequence of draws agrees", () => {
    const random = new JavaRandom(seed);
    expect(recording.calls.map((each) => call(random, each))).toEqual(run.results);
  });

  test("long sequences of draws agree", () => {
    const random = new JavaRandom(seed);
    expect(digest((i) => random.nextInt(1 + (i % 1000)))).toBe(run.intsDigest);
    expect(digest(() => bitsOf(random.nextGaussian()))).toBe(run.gaussianBitsDigest);
  });
});

describe("JavaRandom", () => {
  test("a number and a bigint of the same value give the same draws, also if negative", () => {
    expect(new JavaRandom(-7).nextInt()).toBe(new JavaRandom(-7n).nextInt());
  });

  test("setSeed restarts the stream and drops the spare Gaussian", () => {
    const random = new JavaRandom(1);
    random.nextGaussian();
    random.setSeed(2);
    expect(random.nextGaussian()).toBe(new JavaRandom(2).nextGaussian());
  });

  test("a clone continues from the same state, spare Gaussian included, and is independent", () => {
    const random = new JavaRandom(9);
    random.nextGaussian();
    const copy = random.clone();
    const fromCopy = [...range(5).map(() => copy.nextGaussian()), copy.nextLong()];
    expect([...range(5).map(() => random.nextGaussian()), random.nextLong()]).toEqual(fromCopy);
  });

  test.each([0, -1, 2 ** 31, 1.5, Number.NaN])("the bound %s is refused", (bound) => {
    expect(() => new JavaRandom(0).nextInt(bound)).toThrow(RangeError);
  });

  test.each([0.5, 2 ** 53, Number.NaN])("the seed %s is refused", (seed) => {
    expect(() => new JavaRandom(seed)).toThrow(RangeError);
  });
});
