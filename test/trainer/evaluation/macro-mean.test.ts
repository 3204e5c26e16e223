import { expect, test } from "vitest";
import { clusteredMean, type Estimate, macroMean } from "#palestra/trainer/evaluation/statistics.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";

test("the interval of a mean over environments combines the distances of their intervals", () => {
  const macro = macroMean([
    { value: 0.5, low: 0.2, high: 0.9 },
    { value: 1, low: 0.6, high: 1 },
  ]);
  expect(macro?.value).toBeCloseTo(0.75, 12);
  // The distances from the means are 0.3 and 0.4 below, 0.4 and 0 above.
  expect(macro?.low).toBeCloseTo(0.75 - 0.5 / 2, 12);
  expect(macro?.high).toBeCloseTo(0.75 + 0.4 / 2, 12);
});

test("the mean of one environment has that environment's interval, and the mean of none is undefined", () => {
  const macro = macroMean([{ value: 0.4, low: 0.1, high: 0.7 }]);
  expect([macro?.low, macro?.high]).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.7, 12)]);
  expect(macroMean([])).toBeUndefined();
});

test("the interval of the mean holds the true mean in at least 95 % of runs", () => {
  const [rates, tasks, runs] = [[0.02, 0.5, 0.95], 40, 1_000];
  const truth = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const random = keyedRandom(3, 40);
  let held = 0;
  for (let run = 0; run < runs; run++) {
    const estimates = rates.map((rate) =>
      clusteredMean(Array.from({ length: tasks }, () => [Number(random() < rate)])),
    ) as Estimate[];
    const macro = macroMean(estimates);
    if (macro && macro.low <= truth && truth <= macro.high) held += 1;
  }
  expect(held / runs).toBeGreaterThanOrEqual(0.95);
});
