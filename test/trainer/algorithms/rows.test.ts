/**
 * Episodes of several rows, as agents produce them. Each counts once and has the weight of a single row; the expected
 * values are calculated by hand.
 */
import { describe, expect, test } from "vitest";
import {
  AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  type Estimates,
  groupStatistics,
} from "#palestra/trainer/algorithms/index.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { group, trajectory } from "../../support/trajectories.js";

const rounded = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toFixed(6)));

/** Rows of one step each, in the order of the actions. */
function rows(episodeId: string, score: number, lines: readonly [string, number[]][]): Trajectory[] {
  return lines.map(([line, rewards], row) => {
    const alone = trajectory(line, rewards, { episodeId, row, return: score, solved: score >= 1 });
    return { ...alone, steps: alone.steps.map((step) => ({ ...step, turn: row })) };
  });
}

function creditsOf(settings: Partial<AlgorithmSettings>, members: readonly Trajectory[]) {
  const algorithm = createAlgorithm(AlgorithmSettings.parse(settings));
  const scored = new Map<Trajectory, Estimates>();
  for (const one of members) {
    const zeros = new Float32Array(one.tokens.length);
    scored.set(one, { logprobs: zeros, reference: zeros, teacher: zeros, values: zeros });
  }
  return algorithm.credit({ groups: [group(...members)], estimates: scored });
}

function advantagesOf(settings: Partial<AlgorithmSettings>, members: readonly Trajectory[]): number[][] {
  return [...creditsOf(settings, members).values()].map(({ advantages }) => rounded(advantages));
}

// Episodes of scores 1 (three rows), 0 and 0: the mean is 1/3, of the rows it would be 3/5. The squared differences are
// 4/9 + 1/9 + 1/9 = 2/3, the unbiased variance 1/3, the deviation 0.577350.
const solved = rows("many", 1, [
  [".a", [0]],
  [".b", [0]],
  [".cc", [1]],
]);
const members = [...solved, trajectory(".a", [0]), trajectory(".a", [0])];

describe("an episode of several rows", () => {
  test("counts once in its group's baseline: grpo gives (1 - 1/3) / 0.577351 and -1/3 / 0.577351", () => {
    const own = 1.154698;
    expect(advantagesOf({ algorithm: "grpo" }, members)).toEqual([
      [0, own],
      [0, own],
      [0, own, own],
      [0, -0.577349],
      [0, -0.577349],
    ]);
  });

  test("counts once: dr-grpo gives 1 - 1/3, rloo 1 - 0 and 0 - (1 + 0) / 2, lite-ppo with one group the same as grpo", () => {
    const first = (settings: Partial<AlgorithmSettings>) =>
      advantagesOf(settings, members).map((values) => values.at(-1));
    expect(first({ algorithm: "dr-grpo", max_completion_length: 4 })).toEqual([
      0.666667, 0.666667, 0.666667, -0.333333, -0.333333,
    ]);
    expect(first({ algorithm: "rloo" })).toEqual([1, 1, 1, -0.5, -0.5]);
    expect(first({ algorithm: "lite-ppo" })).toEqual(first({ algorithm: "grpo" }));
    expect(first({ algorithm: "reinforce" })).toEqual([0.666667, 0.666667, 0.666667, -0.333333, -0.333333]);
  });

  test("counts once among gigpo's episodes, and each of its steps once among the steps, with gamma across rows", () => {
    // Steps by state "0": Q of 0.95^2, 0.95, 1, 0 and 0 have the mean 0.5705. Episodes: 2/3 and -1/3.
    const own = [0.95 ** 2, 0.95, 1].map((q) => 2 / 3 + q - 0.5705);
    expect(advantagesOf({ algorithm: "gigpo" }, members).map((values) => values.at(-1))).toEqual(
      rounded([...own, -1 / 3 - 0.5705, -1 / 3 - 0.5705]),
    );
  });

  test("with turn_discount has AReaL's returns over all of its rows: 0.81, 0.9 and 1", () => {
    const turns = { algorithm: "reinforce", baseline: "none", turn_discount: 0.9 } as const;
    expect(advantagesOf(turns, solved)).toEqual([
      [0, 0.81],
      [0, 0.9],
      [0, 1, 1],
    ]);
    // Leave-one-out excludes all turns of the episode itself: the mean of the others is 0, or 2.71 / 4.
    const loo = { algorithm: "rloo", turn_discount: 0.9 } as const;
    expect(advantagesOf(loo, members).map((values) => values.at(-1))).toEqual([0.81, 0.9, 1, -0.6775, -0.6775]);
  });

  test("has returns in the order of its steps, whatever the order of its rows", () => {
    const [first, second, third] = solved as [Trajectory, Trajectory, Trajectory];
    const turns = { algorithm: "reinforce", baseline: "none", turn_discount: 0.5 } as const;
    const credits = creditsOf(turns, [third, first, second]);
    const last = [first, second, third].map((row) => credits.get(row)?.advantages.at(-1));
    expect(last).toEqual([0.25, 0.5, 1]);
  });

  test.each([["ppo"], ["reinforce-plus-plus"]] as const)(
    "has one chain of tokens over all its rows in %s",
    (algorithm) => {
      const single = trajectory(".abcc", [0, 0, 1]);
      const settings = { algorithm, gamma: 0.9, ...(algorithm === "ppo" && { lam: 0.8 }) };
      const other = trajectory(".a", [0.5]);
      const whole = advantagesOf(settings, [single, other]);
      const parts = advantagesOf(settings, [...solved, other]);
      expect(parts.slice(0, 3).flatMap(([, ...values]) => values)).toEqual(whole[0]?.slice(1));
      expect(parts[3]).toEqual(whole[1]);
    },
  );

  test.each([
    ["seq-mean-token-mean", [1 / 12, 1 / 12, 1 / 12, 1 / 3, 1 / 3]],
    ["seq-mean-token-sum", [1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3]],
    ["token-mean", [1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]],
  ] as const)("has the weight of one episode in the loss: %s", (loss_agg_mode, expected) => {
    const credits = creditsOf({ algorithm: "grpo", loss_agg_mode }, members);
    expect([...credits.values()].map(({ weights }) => rounded(weights).at(-1))).toEqual(rounded(expected));
  });

  test("that is alone in its group has no baseline, however many rows it has", () => {
    expect(creditsOf({ algorithm: "grpo" }, solved).size).toBe(0);
    const groups: Group[] = [group(...solved)];
    expect(groupStatistics(groups)).toMatchObject({ episodes: 1, tooSmall: 1, zeroVariance: 0, failed: 0 });
  });

  test.each(algorithmNames)("has under %s the weights of a single row with all its tokens", (algorithm) => {
    const settings = { algorithm, ...(algorithm === "dr-grpo" && { max_completion_length: 4 }) };
    const total = (list: readonly Trajectory[]) =>
      [...creditsOf(settings, list)]
        .filter(([{ return: score }]) => score === 1)
        .reduce((sum, [, { weights }]) => sum + weights.reduce((all, one) => all + one, 0), 0);
    const single = [trajectory(".abcc", [0, 0, 1]), ...members.slice(3)];
    expect(total(members)).toBeCloseTo(total(single), 6);
  });
});
