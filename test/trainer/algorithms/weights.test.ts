/** Trajectories that training uses, and the weight of each of their tokens. */
import { describe, expect, test } from "vitest";
import {
  type Algorithm,
  AlgorithmSettings,
  type Batch,
  createAlgorithm,
  groupStatistics,
} from "#palestra/trainer/algorithms/index.js";
import type { Group } from "#palestra/trainer/rollout/trajectory.js";
import { group, trajectory } from "../../support/trajectories.js";

const algorithm = (settings: Partial<AlgorithmSettings>): Algorithm =>
  createAlgorithm(AlgorithmSettings.parse(settings));
const batchOf = (groups: Group[]): Batch => ({ groups, estimates: new Map() });

/** Rounds to 6 digits, as the expected values are written. */
const rounded = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toFixed(6)));
const weightsOf = (algorithm: Algorithm, batch: Batch) =>
  [...algorithm.credit(batch).values()].map(({ weights }) => rounded(weights));

describe("weights", () => {
  const batch = batchOf([group(trajectory(".aa.b", [1, 0]), trajectory(".a", [0]))]);
  const of = (loss_agg_mode: AlgorithmSettings["loss_agg_mode"]) =>
    weightsOf(algorithm({ algorithm: "grpo", loss_agg_mode, max_completion_length: 10 }), batch);

  test.each([
    ["token-mean", 1 / 4, 1 / 4],
    ["seq-mean-token-mean", 1 / 6, 1 / 2],
    ["seq-mean-token-sum", 1 / 2, 1 / 2],
    ["seq-mean-token-sum-norm", 1 / 20, 1 / 20],
  ] as const)("%s", (mode, a, b) => {
    expect(of(mode)).toEqual([rounded([0, a, a, 0, a]), rounded([0, b])]);
  });

  test.each([
    ["grpo", "seq-mean-token-mean"],
    ["dr-grpo", "seq-mean-token-sum-norm"],
    ["rloo", "seq-mean-token-sum"],
    ["dapo", "token-mean"],
    ["gspo", "seq-mean-token-mean"],
  ] as const)("%s has %s", (name, mode) => {
    expect(weightsOf(algorithm({ algorithm: name, max_completion_length: 10 }), batch)).toEqual(of(mode));
  });
});

describe("trajectories that are left out", () => {
  const failed = trajectory(".a", [0], { status: "failed" });
  const silent = trajectory("..", [0]);
  const [good, bad] = [trajectory(".a", [1]), trajectory(".a", [0])];

  test.each(["grpo", "rloo", "reinforce", "reinforce-plus-plus", "gigpo", "sft"] as const)(
    "are those that failed or have no token: %s uses them in no baseline and no loss",
    (name) => {
      const made = algorithm({ algorithm: name });
      const whole = made.credit(batchOf([group(good, failed, bad, silent)]));
      expect([...whole]).toEqual([...made.credit(batchOf([group(good, bad)]))]);
      expect([...whole.keys()]).toEqual([good, bad]);
    },
  );

  test.each(["grpo", "dr-grpo", "rloo", "dapo", "gspo", "lite-ppo", "sapo", "cispo", "gigpo"] as const)(
    "are those of groups with fewer than 2 valid trajectories: %s",
    (name) => {
      const made = algorithm({ algorithm: name, max_completion_length: 8 });
      expect(made.credit(batchOf([group(good, failed), group()])).size).toBe(0);
    },
  );

  test("do not include a single trajectory in reinforce", () => {
    expect(algorithm({ algorithm: "reinforce" }).credit(batchOf([group(good, failed)])).size).toBe(1);
  });

  test("are counted", () => {
    const groups: Group[] = [
      { ...group(good, bad, silent), failed: [trajectory("", [], { status: "failed" })] },
      group(good, trajectory(".a", [1])),
      group(bad, failed),
    ];
    expect(groupStatistics(groups)).toEqual({
      groups: 3,
      episodes: 8,
      failed: 2,
      unplayed: 1,
      tooSmall: 1,
      zeroVariance: 1,
    });
  });

  test("equal returns give advantages of exactly 0, even returns that a float cannot represent", () => {
    const members = Array.from({ length: 3 }, () => trajectory(".a", [0.1]));
    const credits = algorithm({ algorithm: "grpo" }).credit(batchOf([group(...members)]));
    expect([...credits.values()].map(({ advantages }) => [...advantages])).toEqual(members.map(() => [0, 0]));
  });
});
