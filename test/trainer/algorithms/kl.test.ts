/** Schulman's estimators of KL, by hand. */
import { expect, test } from "vitest";
import { klEstimate, klSlope } from "#palestra/trainer/algorithms/parts/kl.js";

test.each([
  ["k1", 0.5, 0.5],
  ["k1", -30, -30],
  ["k1", 30, 30],
  ["k2", 0.5, 0.125],
  ["k2", -30, 450],
  ["k3", 0.5, Math.exp(-0.5) - 0.5],
  ["k3", -2, Math.exp(2) - 3],
] as const)("%s of the log-ratio %d is %d", (estimator, logRatio, expected) => {
  expect(klEstimate(estimator, logRatio)).toBeCloseTo(expected, 12);
});

test.each(["k1", "k2", "k3"] as const)("the slope of %s is the derivative of its estimate", (estimator) => {
  for (const logRatio of [-3, -0.4, 0.7, 5]) {
    const step = 1e-6;
    const slope = (klEstimate(estimator, logRatio + step) - klEstimate(estimator, logRatio - step)) / (2 * step);
    expect(klSlope(estimator, logRatio), `at ${logRatio}`).toBeCloseTo(slope, 5);
  }
});

test("k3 stays finite for a log-ratio whose exponential is not", () => {
  expect(klEstimate("k3", -1_000)).toBeLessThan(1e10);
});
