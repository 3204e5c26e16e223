import { describe, expect, test } from "vitest";
import { clusteredMean, type Estimate, passAtK, quantile } from "#palestra/trainer/evaluation/statistics.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";

/** Share of subsets with a success, over all subsets of k of n samples of which the first c succeed. */
function passByCounting(n: number, c: number, k: number): number {
  let all = 0;
  let passing = 0;
  for (let bits = 0; bits < 2 ** n; bits++) {
    if (bits.toString(2).replaceAll("0", "").length !== k) continue;
    all += 1;
    if (bits % 2 ** c !== 0) passing += 1;
  }
  return passing / all;
}

describe("pass@k", () => {
  test("is the share of subsets of k samples that contain a success", () => {
    for (let n = 1; n <= 8; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) expect(passAtK(n, c, k)).toBeCloseTo(passByCounting(n, c, k), 12);
      }
    }
  });

  test("stays finite where binomial coefficients overflow", () => {
    expect(passAtK(10_000, 1, 5_000)).toBeCloseTo(0.5, 12);
  });

  test("of fewer samples than k is refused", () => {
    expect(() => passAtK(3, 1, 4)).toThrow("expected 1 <= k <= n and 0 <= c <= n, but received n = 3, c = 1, k = 4");
  });
});

/** One sample for each of `trials` tasks, of which `successes` succeed. */
function once(successes: number, trials: number): number[][] {
  return Array.from({ length: trials }, (_, index) => [Number(index < successes)]);
}

/** Tasks whose samples are all equal. */
function equal(value: number, tasks: number, samples: number): number[][] {
  return Array.from({ length: tasks }, () => Array<number>(samples).fill(value));
}

function intervalOf(clusters: readonly (readonly number[])[], range?: { low: number; high: number }): Estimate {
  return clusteredMean(clusters, range) as Estimate;
}

describe("the interval of a mean over tasks", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 5.
  test.each([
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
  ])("is Clopper and Pearson's for one sample per task: %i of %i is [%d, %d]", (successes, trials, low, high) => {
    const interval = intervalOf(once(successes, trials));
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
    expect(interval.effectiveSize).toBeCloseTo(trials, 9);
  });

  test.each([
    [0, 4, 4],
    [0, 100, 2],
    [1, 5, 2],
    [1, 1, 4],
  ])(
    "of samples that are all %d does not collapse: %i tasks with %i samples have the interval of one sample each",
    (value, tasks, samples) => {
      const interval = intervalOf(equal(value, tasks, samples));
      const single = intervalOf(equal(value, tasks, 1));
      expect(interval.low).toBeCloseTo(single.low, 9);
      expect(interval.high).toBeCloseTo(single.high, 9);
      expect(interval.high - interval.low).toBeGreaterThan(0.03);
    },
  );

  test("is narrower with more samples only if the samples of a task differ", () => {
    const agreeing = intervalOf([...equal(1, 20, 8), ...equal(0, 20, 8)]);
    expect(agreeing.effectiveSize).toBeCloseTo(40, 9);
    const mixed = intervalOf(Array.from({ length: 40 }, () => [0, 1, 0, 1, 0, 1, 0, 1]));
    expect(mixed.effectiveSize).toBeGreaterThan(250);
    expect(mixed.effectiveSize).toBeLessThanOrEqual(320);
  });

  test("widens without a jump next to a mean of 0 or 1", () => {
    const highs = [0, 1, 2, 3].map((successes) => {
      const clusters = equal(0, 10, 8);
      for (let task = 0; task < successes; task++) clusters[task] = [1, 0, 0, 0, 0, 0, 0, 0];
      return intervalOf(clusters).high;
    });
    expect(Math.max(...highs) / Math.min(...highs)).toBeLessThan(1.25);
  });

  test("is in the unit of the values, and bounded by their range", () => {
    const { value, low, high } = intervalOf(equal(100, 10, 2), { low: 0, high: 100 });
    expect([value, high]).toEqual([100, 100]);
    expect(low).toBeCloseTo(100 * intervalOf(equal(1, 10, 1)).low, 9);
    const close = intervalOf(
      Array.from({ length: 200 }, (_, task) => [0.9 + (task % 3) / 100]),
      { low: 0, high: 1 },
    );
    expect(close.high - close.low).toBeLessThan(0.05);
  });

  test("gives each sample the same weight", () => {
    expect(clusteredMean([[1, 1, 1], [0]])?.value).toBe(0.75);
    expect(clusteredMean([[], []])).toBeUndefined();
  });
});

type Random = () => number;

/** Draws the success rate of a task. The mean over tasks is `p`. */
type Design = (p: number, random: Random) => number;

/** Beta-binomial distribution in which two samples of one task have the correlation `icc`. */
function betaBinomial(icc: number): Design {
  const weight = 1 / icc - 1;
  return (p, random) => {
    if (icc === 0) return p;
    if (icc === 1) return Number(random() < p);
    const [success, failure] = [gamma(p * weight, random), gamma((1 - p) * weight, random)];
    return success + failure === 0 ? Number(random() < p) : success / (success + failure);
  };
}

/** A mixture of tasks that always succeed and tasks that rarely do. */
const twoKinds: Design = (p, random) => {
  const rare = p / 4;
  return random() < (p - rare) / (1 - rare) ? 1 : rare;
};

/** Draws from a gamma distribution with scale 1 (Marsaglia and Tsang 2000). */
function gamma(shape: number, random: Random): number {
  if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Draws the outcomes of a task from one uniform number. Successes come first, since the order does not matter. */
function outcomes(rate: number, samples: number, random: Random): readonly number[] {
  let left = random();
  let share = (1 - rate) ** samples;
  let successes = 0;
  for (; successes < samples && left >= share; successes++) {
    left -= share;
    share =
      rate === 1
        ? Number(successes + 1 === samples)
        : (share * (samples - successes) * rate) / ((successes + 1) * (1 - rate));
  }
  return tables[samples]?.[successes] as readonly number[];
}

/** Outcomes by number of samples and of successes. */
const tables = Array.from({ length: 9 }, (_, samples) =>
  Array.from({ length: samples + 1 }, (_, successes) =>
    Array.from({ length: samples }, (_, at) => Number(at < successes)),
  ),
);

const runs = 1_000;

/** Returns the share of runs whose interval contains `truth`, and the mean width. */
function coverage(truth: number, draw: () => (readonly number[])[]): { held: number; width: number } {
  let [held, width] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { low, high } = intervalOf(draw());
    if (low <= truth && truth <= high) held += 1;
    width += high - low;
  }
  return { held: held / runs, width: width / runs };
}

const designs: [name: string, Design][] = [
  ["independent samples", betaBinomial(0)],
  ["correlation 0.1", betaBinomial(0.1)],
  ["correlation 0.5", betaBinomial(0.5)],
  ["correlation 1", betaBinomial(1)],
  ["two kinds of tasks", twoKinds],
];
const rates = [0.02, 0.2, 0.5, 0.95];

describe("in a simulation the interval contains the true mean in at least 93 % of runs", () => {
  // With one sample per task, all designs are the same.
  const cells = designs.flatMap(([name, design], at) =>
    [10, 30, 100].flatMap((tasks) =>
      (at === 0 ? [1, 2, 8] : [2, 8]).map((samples) => [name, tasks, samples, design] as const),
    ),
  );

  test.each(cells)("%s, %i tasks with %i samples", (_, tasks, samples, design) => {
    for (const [at, p] of rates.entries()) {
      const random = keyedRandom(tasks, samples, at);
      const { held } = coverage(p, () =>
        Array.from({ length: tasks }, () => outcomes(design(p, random), samples, random)),
      );
      expect(held, `rate ${p}`).toBeGreaterThanOrEqual(0.93);
    }
  });

  test("for scores that are 0 or spread over the upper half", () => {
    for (const tasks of [10, 50]) {
      const random = keyedRandom(tasks);
      const { held } = coverage(0.4 * 0.75, () =>
        Array.from({ length: tasks }, () => {
          const rate = betaBinomial(0.3)(0.4, random);
          return Array.from({ length: 3 }, () => (random() < rate ? 0.5 + random() / 2 : 0));
        }),
      );
      expect(held).toBeGreaterThanOrEqual(0.93);
    }
  });

  test.each([0.05, 0.5])("for pass@4 from 8 samples, at the rate %d", (p) => {
    const [success, failure] = [p * 4, (1 - p) * 4];
    const allFail = [0, 1, 2, 3].reduce((share, i) => (share * (failure + i)) / (success + failure + i), 1);
    const random = keyedRandom(8, 4);
    const { held } = coverage(1 - allFail, () =>
      Array.from({ length: 25 }, () => {
        const successes = outcomes(betaBinomial(0.2)(p, random), 8, random).filter((outcome) => outcome === 1).length;
        return [passAtK(8, successes, 4)];
      }),
    );
    expect(held).toBeGreaterThanOrEqual(0.93);
  });
});

test.each([0, 0.1, 0.5])("the interval of 200 tasks is close to the one for a known correlation of %d", (icc) => {
  const [tasks, samples, p] = [200, 4, 0.3];
  const random = keyedRandom(tasks, samples);
  const { width } = coverage(p, () =>
    Array.from({ length: tasks }, () => outcomes(betaBinomial(icc)(p, random), samples, random)),
  );
  const variance = (p * (1 - p) * (1 + (samples - 1) * icc)) / (tasks * samples);
  expect(width / (2 * 1.96 * Math.sqrt(variance))).toBeLessThan(1.1);
});

test("a quantile lies between its two neighbours", () => {
  expect([quantile([1, 2, 4], 0), quantile([1, 2, 4], 0.75), quantile([1, 2, 4], 1)]).toEqual([1, 3, 4]);
});
