import { describe, expect, test } from "vitest";
import { clusterMean, passAtK, quantile, wilson } from "#palestra/trainer/evaluation/statistics.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";

/** Every subset of k of n samples of which the first c succeed: the share with a success. */
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
  test("is the share of subsets of k samples that hold a success", () => {
    for (let n = 1; n <= 8; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) expect(passAtK(n, c, k)).toBeCloseTo(passByCounting(n, c, k), 12);
      }
    }
  });

  test("stays a number where binomials would not", () => {
    expect(passAtK(10_000, 1, 5_000)).toBeCloseTo(0.5, 12);
  });

  test("of fewer samples than k is refused", () => {
    expect(() => passAtK(3, 1, 4)).toThrow("expected 1 <= k <= n and 0 <= c <= n, but received n = 3, c = 1, k = 4");
  });
});

describe("Wilson's interval", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i in %i is [%d, %d]", (successes, trials, low, high) => {
    const interval = wilson(successes, trials);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test("of nothing is none", () => {
    expect(wilson(0, 0)).toBeUndefined();
  });
});

describe("the bootstrap over tasks", () => {
  test("holds the true mean about 19 times in 20", () => {
    const random = keyedRandom(1);
    let held = 0;
    for (let run = 0; run < 200; run++) {
      // Each task has a rate of its own, so that its samples go together.
      const clusters = Array.from({ length: 40 }, () => {
        const rate = random();
        return Array.from({ length: 4 }, () => Number(random() < rate));
      });
      const { low, high } = clusterMean(clusters) as { low: number; high: number };
      if (low <= 0.5 && 0.5 <= high) held += 1;
    }
    expect(held / 200).toBeGreaterThan(0.89);
    expect(held / 200).toBeLessThan(0.99);
  });

  test("weighs each sample the same", () => {
    expect(clusterMean([[1, 1, 1], [0]])?.value).toBe(0.75);
    expect(clusterMean([[], []])).toBeUndefined();
  });
});

test("a quantile lies between its neighbours", () => {
  expect([quantile([1, 2, 4], 0), quantile([1, 2, 4], 0.75), quantile([1, 2, 4], 1)]).toEqual([1, 3, 4]);
});
