import { describe, expect, test } from "vitest";
import { minibatchesOf } from "#palestra/trainer/data/minibatches.js";
import { trajectory } from "../support/trajectories.js";

/** Episodes with 1, 2, ... sampled tokens, of which every third has no gradient. */
const episodes = Array.from({ length: 12 }, (_, at) => ({
  rows: [trajectory(Array(at + 1).fill(0))],
  teaches: at % 3 !== 0,
}));
const settings = { loss_agg_mode: "token-mean", ppo_n_minibatches: 4, seed: 1 } as const;

/** Returns the numbers of the episodes in each minibatch. */
function dealt(trainStep: number, epoch: number, seed = 1): number[][] {
  const minibatches = minibatchesOf(episodes, { ...settings, seed }, trainStep, epoch);
  return minibatches.map((minibatch) => minibatch.episodes.map((episode) => episodes.indexOf(episode)));
}

describe("the minibatches of a batch", () => {
  test("have each episode once, with those without a gradient spread evenly", () => {
    const numbers = dealt(0, 0);
    expect(numbers.flat().sort((a, b) => a - b)).toEqual(episodes.map((_, at) => at));
    expect(numbers.map((part) => part.filter((at) => !episodes[at]?.teaches).length)).toEqual([1, 1, 1, 1]);
  });

  test("are dealt anew for each train step, epoch and seed, and equally for the same", () => {
    const deals = [dealt(0, 0), dealt(1, 0), dealt(0, 1), dealt(0, 0, 2)];
    expect(new Set(deals.map((deal) => JSON.stringify(deal))).size).toBe(deals.length);
    expect(dealt(0, 1)).toEqual(deals[2]);
  });

  test("have shares of the batch's sampled tokens with token-mean, else of its episodes", () => {
    for (const mode of ["token-mean", "seq-mean-token-mean"] as const) {
      const minibatches = minibatchesOf(episodes, { ...settings, loss_agg_mode: mode }, 0, 0);
      const sizeOf = (parts: readonly (typeof episodes)[number][]) =>
        mode === "token-mean" ? parts.reduce((sum, { rows }) => sum + (rows[0]?.tokens.length ?? 0), 0) : parts.length;
      for (const { episodes: chosen, share } of minibatches)
        expect(share).toBeCloseTo(sizeOf(chosen) / sizeOf(episodes), 12);
    }
  });

  test("are as many as the episodes with a gradient if those are fewer", () => {
    expect(minibatchesOf(episodes.slice(0, 4), settings, 0, 0)).toHaveLength(2);
    expect(minibatchesOf(episodes.slice(0, 1), settings, 0, 0)).toEqual([]);
  });
});
