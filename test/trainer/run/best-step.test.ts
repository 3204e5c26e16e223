import { expect, test } from "vitest";
import { bestStep } from "#palestra/trainer/run/checkpoints.js";

const evaluation = (trainStep: number, success: number | undefined) => ({
  trainStep,
  scores: [
    { name: "textcraft:test", environment: "textcraft", success, score: success, episodes: 2, rounds: 1, failed: 0 },
  ],
});

test("the best step is the first one with the highest success, from step 1 on, since step 0 has no checkpoint", () => {
  expect(bestStep([])).toBeUndefined();
  expect(bestStep([evaluation(0, 0.5)])).toBeUndefined();
  expect(bestStep([evaluation(0, 0.5), evaluation(2, 0), evaluation(4, 0)])).toBe(2);
  expect(bestStep([evaluation(2, 0.1), evaluation(4, 0.3), evaluation(6, 0.3), evaluation(8, undefined)])).toBe(4);
});
