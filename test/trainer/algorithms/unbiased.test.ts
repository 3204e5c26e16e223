/**
 * The expected gradient of REINFORCE over groups of one rollout, as of a live product, computed exactly: a policy of three
 * actions with known rewards is small enough to add up every possible batch.
 */
import { describe, expect, test } from "vitest";
import { AlgorithmSettings, type Batch, createAlgorithm } from "#palestra/trainer/algorithms/index.js";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { group, trajectory } from "../../support/trajectories.js";

/** Probabilities of the actions, under logits of their own, and the action's reward. */
const probabilities = [0.5, 0.25, 0.25];
const rewards = [1, -0.5, 4];
const actions = [0, 1, 2];
const batchSize = 2;

/** Every batch of groups of one rollout, with its probability. */
const batches = actions.flatMap((first) => actions.map((second) => [first, second]));
const chanceOf = (batch: readonly number[]) =>
  batch.reduce((product, at) => product * (probabilities[at] as number), 1);

function algorithmOf(settings: Partial<AlgorithmSettings>) {
  return createAlgorithm(AlgorithmSettings.parse({ algorithm: "reinforce", n_samples: 1, ...settings }));
}

function batchOf(played: readonly number[], carried?: number): { batch: Batch; rows: Trajectory[] } {
  const rows = played.map((action) => trajectory(".a", [rewards[action] as number]));
  const groups = rows.map((row) => group(row));
  return { batch: { groups, estimates: new Map(), ...(carried !== undefined && { carried }) }, rows };
}

/** d log pi(action) / d logit, for each logit. */
const scoreOf = (action: number) => actions.map((at) => Number(at === action) - (probabilities[at] as number));

/** Gradient of the expected reward, which the algorithm should estimate: sum_a pi(a) r(a) d log pi(a). */
const gradientOfReturn = actions.map((logit) =>
  actions.reduce((sum, action) => {
    const weight = (probabilities[action] as number) * (rewards[action] as number);
    return sum + weight * (scoreOf(action)[logit] as number);
  }, 0),
);

/** Gradient that the credits of one batch give, as the engine ascends: sum over tokens of weight A d log pi. */
function ascentOf(settings: Partial<AlgorithmSettings>, played: readonly number[], carried?: number): number[] {
  const { batch, rows } = batchOf(played, carried);
  const credits = algorithmOf(settings).credit(batch);
  return actions.map((logit) =>
    rows.reduce((sum, row, at) => {
      const { advantages, weights } = credits.get(row) as { advantages: Float32Array; weights: Float32Array };
      return (
        sum + (advantages[1] as number) * (weights[1] as number) * (scoreOf(played[at] as number)[logit] as number)
      );
    }, 0),
  );
}

/** Expectation over all batches. */
function expected(of: (played: readonly number[]) => readonly number[]): number[] {
  return actions.map((at) => batches.reduce((sum, played) => sum + chanceOf(played) * (of(played)[at] as number), 0));
}

function expectEqual(actual: readonly number[], formula: readonly number[]): void {
  for (const [at, value] of actual.entries()) expect(value).toBeCloseTo(formula[at] as number, 12);
}

describe("the expected gradient of reinforce with groups of one rollout", () => {
  test("is that of the expected return with baseline none", () => {
    expectEqual(
      expected((played) => ascentOf({ baseline: "none" }, played)),
      gradientOfReturn,
    );
  });

  test.each([undefined, 0, 0.75, -8])("is that of the expected return with baseline ema, carried %s", (carried) => {
    expectEqual(
      expected((played) => ascentOf({ baseline: "ema" }, played, carried)),
      gradientOfReturn,
    );
  });

  test("is that of the expected return with baseline ema after an earlier batch, whatever it was", () => {
    const settings = { baseline: "ema", baseline_decay: 0.5 } as const;
    const after = (earlier: readonly number[]) => {
      const carried = algorithmOf(settings).carry?.(batchOf(earlier).batch);
      return expected((played) => ascentOf(settings, played, carried));
    };
    expectEqual(expected(after), gradientOfReturn);
  });

  // The batch's own mean contains the rollout's own return: (N - 1) / N, as in verl's and TRL's global batch.
  test("is (N - 1) / N of it with baseline batch_mean", () => {
    expectEqual(
      expected((played) => ascentOf({ baseline: "batch_mean" }, played)),
      gradientOfReturn.map((value) => ((batchSize - 1) / batchSize) * value),
    );
  });

  test("has less variance with the running mean than without a baseline", () => {
    const meanReturn = actions.reduce((sum, at) => sum + (probabilities[at] as number) * (rewards[at] as number), 0);
    const varianceOf = (settings: Partial<AlgorithmSettings>, carried?: number) =>
      expected((played) =>
        ascentOf(settings, played, carried).map((value, at) => (value - (gradientOfReturn[at] as number)) ** 2),
      ).reduce((sum, value) => sum + value, 0);
    expect(varianceOf({ baseline: "ema" }, meanReturn)).toBeLessThan(varianceOf({ baseline: "none" }));
  });
});

test("the running mean over batches is b' = decay b + (1 - decay) mean, from the first batch's mean on", () => {
  const { carry } = algorithmOf({ baseline: "ema", baseline_decay: 0.75 });
  const played = [
    [0, 0],
    [2, 1],
    [1, 1],
  ];
  let carried: number | undefined;
  for (const each of played) carried = carry?.(batchOf(each, carried).batch);
  // Means 1, 1.75 and -0.5.
  expect(carried).toBe(0.75 * (0.75 * 1 + 0.25 * 1.75) + 0.25 * -0.5);
});

test.each([
  "grpo",
  "dr-grpo",
  "rloo",
  "reinforce-plus-plus-baseline",
  "dapo",
  "gspo",
  "lite-ppo",
  "sapo",
  "cispo",
  "gigpo",
])("%s refuses groups of one rollout by name, with a remedy", (algorithm) => {
  expect(() => algorithmOf({ algorithm } as Partial<AlgorithmSettings>)).toThrow(
    new RegExp(`n_samples 1 with ${algorithm}: .* Raise n_samples, or choose .* reinforce with baseline ema`),
  );
});

test.each(["reinforce", "reinforce-plus-plus", "ppo"])("%s accepts groups of one rollout", (algorithm) => {
  expect(() => algorithmOf({ algorithm } as Partial<AlgorithmSettings>)).not.toThrow();
});
