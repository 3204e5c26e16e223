/** Episodes of several rows, as agents leave them: worked out on paper, they count once and weigh what one row would. */
import { describe, expect, test } from "vitest";
import {
  AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  groupStatistics,
  type Scored,
} from "#palestra/trainer/algorithms/index.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { group, trajectory } from "../../support/trajectories.js";

const rounded = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toFixed(6)));

function rows(episodeId: string, score: number, lines: readonly [string, number[]][]): Trajectory[] {
  return lines.map(([line, rewards], row) => trajectory(line, rewards, { episodeId, row, score, solved: score >= 1 }));
}

function creditsOf(settings: Partial<AlgorithmSettings>, members: readonly Trajectory[]) {
  const algorithm = createAlgorithm(AlgorithmSettings.parse(settings));
  const scored = new Map<Trajectory, Scored>();
  for (const one of members) {
    const zeros = new Float32Array(one.tokens.length);
    scored.set(one, { logprobs: zeros, reference: zeros, values: zeros });
  }
  return algorithm.credit({ groups: [group(...members)], scored });
}

function advantagesOf(settings: Partial<AlgorithmSettings>, members: readonly Trajectory[]): number[][] {
  return [...creditsOf(settings, members).values()].map(({ advantages }) => rounded(advantages));
}

// Episodes of scores 1 (three rows), 0 and 0: the mean is 1/3, of the rows it would be 3/5. The squared differences are
// 4/9 + 1/9 + 1/9 = 2/3, the unbiased variance 1/3, the deviation 0.577350.
const solved = rows("many", 1, [
  [".a", [1]],
  [".b", [1]],
  [".cc", [1]],
]);
const members = [...solved, trajectory(".a", [0]), trajectory(".a", [0])];

describe("an episode of several rows", () => {
  test("counts once in the baseline of its group: grpo (1 - 1/3) / 0.577351 and -1/3 / 0.577351", () => {
    const own = 1.154698;
    expect(advantagesOf({ algorithm: "grpo" }, members)).toEqual([
      [0, own],
      [0, own],
      [0, own, own],
      [0, -0.577349],
      [0, -0.577349],
    ]);
  });

  test("dr-grpo 1 - 1/3, rloo 1 - 0 and 0 - (1 + 0) / 2, lite-ppo as grpo where there is one group", () => {
    const first = (settings: Partial<AlgorithmSettings>) =>
      advantagesOf(settings, members).map((values) => values.at(-1));
    expect(first({ algorithm: "dr-grpo", max_completion_length: 4 })).toEqual([
      0.666667, 0.666667, 0.666667, -0.333333, -0.333333,
    ]);
    expect(first({ algorithm: "rloo" })).toEqual([1, 1, 1, -0.5, -0.5]);
    expect(first({ algorithm: "lite-ppo" })).toEqual(first({ algorithm: "grpo" }));
    expect(first({ algorithm: "reinforce" })).toEqual([0.666667, 0.666667, 0.666667, -0.333333, -0.333333]);
  });

  test("gigpo compares episodes once and steps each for itself", () => {
    // Steps by state "0": returns 1, 1, 1, 0 and 0 have the mean 3/5. Episodes: 2/3 and -1/3.
    expect(advantagesOf({ algorithm: "gigpo" }, members).map((values) => values.at(-1))).toEqual(
      rounded([2 / 3 + 2 / 5, 2 / 3 + 2 / 5, 2 / 3 + 2 / 5, -1 / 3 - 3 / 5, -1 / 3 - 3 / 5]),
    );
  });

  test("with turn_discount has the returns of its turns, row by row", () => {
    // Turns: 1, 1, 1, 0, 0; the mean 3/5, and in leave-one-out an episode's own turns are all left out.
    const turns = { algorithm: "rloo", turn_discount: 1 } as const;
    expect(advantagesOf(turns, members).map((values) => values.at(-1))).toEqual([1, 1, 1, -0.75, -0.75]);
  });

  test.each([
    ["seq-mean-token-mean", [1 / 12, 1 / 12, 1 / 12, 1 / 3, 1 / 3]],
    ["seq-mean-token-sum", [1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3]],
    ["token-mean", [1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]],
  ] as const)("has the weight of one in the loss: %s", (loss_agg_mode, expected) => {
    const credits = creditsOf({ algorithm: "grpo", loss_agg_mode }, members);
    expect([...credits.values()].map(({ weights }) => rounded(weights).at(-1))).toEqual(rounded(expected));
  });

  test("alone has nobody to be compared with, however many rows it has", () => {
    expect(creditsOf({ algorithm: "grpo" }, solved).size).toBe(0);
    const groups: Group[] = [group(...solved)];
    expect(groupStatistics(groups)).toMatchObject({ episodes: 1, tooSmall: 1, zeroVariance: 0, failed: 0 });
  });

  test.each(algorithmNames)("%s gives its rows the weights of a single row of all their tokens", (algorithm) => {
    const settings = { algorithm, ...(algorithm === "dr-grpo" && { max_completion_length: 4 }) };
    const total = (list: readonly Trajectory[]) =>
      [...creditsOf(settings, list)]
        .filter(([{ score }]) => score === 1)
        .reduce((sum, [, { weights }]) => sum + weights.reduce((all, one) => all + one, 0), 0);
    const single = [trajectory(".abcc", [0, 0, 1]), ...members.slice(3)];
    expect(total(members)).toBeCloseTo(total(single), 6);
  });
});
