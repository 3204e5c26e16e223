import { describe, expect, test } from "vitest";
import { type LearningRateSettings, learningRate } from "#palestra/trainer/settings/learning-rate.js";

/** Returns the learning rate of each of eight train steps, as shares of the setting `lr`. */
function sharesOf(type: LearningRateSettings["lr_scheduler_type"], warmup: number): number[] {
  const settings = { lr: 2e-5, lr_scheduler_type: type, warmup_steps_proportion: warmup, total_train_steps: 8 };
  return Array.from({ length: 8 }, (_, step) => learningRate(settings, step) / settings.lr);
}

const half = Math.SQRT1_2 / 2;
const rising = [1 / 4, 1 / 2, 3 / 4, 1];

describe("the learning rate of each train step", () => {
  test.each([
    { type: "constant", warmup: 0, shares: [1, 1, 1, 1, 1, 1, 1, 1] },
    { type: "constant", warmup: 0.5, shares: [...rising, 1, 1, 1, 1] },
    { type: "linear", warmup: 0, shares: [1, 7 / 8, 3 / 4, 5 / 8, 1 / 2, 3 / 8, 1 / 4, 1 / 8] },
    { type: "linear", warmup: 0.5, shares: [...rising, 1, 3 / 4, 1 / 2, 1 / 4] },
    { type: "cosine", warmup: 0.5, shares: [...rising, 1, 1 / 2 + half, 1 / 2, 1 / 2 - half] },
  ] as const)("follows the schedule $type with a warm-up of $warmup of the run", ({ type, warmup, shares }) => {
    expect(sharesOf(type, warmup).map((share) => share.toFixed(12))).toEqual(shares.map((share) => share.toFixed(12)));
  });

  test("falls along half a cosine without a warm-up", () => {
    const shares = sharesOf("cosine", 0);
    expect(shares[0]).toBe(1);
    expect(shares[4]).toBeCloseTo(1 / 2, 12);
    for (const [step, share] of shares.entries()) {
      if (step > 0) expect(share + (shares[8 - step] as number)).toBeCloseTo(1, 12);
      expect(share).toBeLessThanOrEqual(shares[step - 1] ?? 1);
    }
  });

  test("is above 0 in the first step, also if the whole run is a warm-up", () => {
    for (const type of ["constant", "linear", "cosine"] as const)
      for (const warmup of [0, 0.01, 0.1, 0.5, 1]) expect(sharesOf(type, warmup)[0]).toBeGreaterThan(0);
  });
});
