/**
 * Compares every algorithm with its float64 reference (test/peers/trainer-algorithms.py), on random batches of
 * trajectories of different lengths.
 */
import { describe, expect, test } from "vitest";
import { AlgorithmSettings, createAlgorithm, lossInputs } from "#palestra/trainer/algorithms/index.js";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { type Current, type GoldenCase, goldenBatch, goldenCases } from "../../support/golden-algorithms.js";
import { referenceLoss } from "../../support/reference-loss.js";

const tolerance = 1e-5;

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const [ours, theirs] = [actual[i] as number, expected[i] as number];
    expect(Math.abs(ours - theirs), `[${i}]: ${ours} for ${theirs}`).toBeLessThan(
      tolerance * Math.max(1, Math.abs(theirs)),
    );
  }
}

function credited({ settings, batch: name, carried }: GoldenCase) {
  const { batch, current } = goldenBatch(name);
  const algorithm = createAlgorithm(AlgorithmSettings.parse(settings));
  const credits = algorithm.credit(carried === undefined ? batch : { ...batch, carried });
  return { algorithm, batch, current, credits };
}

const titles = goldenCases.map((golden) => ({
  title: `${JSON.stringify(golden.settings)} on ${golden.batch}`,
  golden,
}));

describe.each(titles)("$title", ({ golden }) => {
  test("credits the same trajectories with the same advantages, weights and returns", () => {
    const { credits } = credited(golden);
    expect([...credits.keys()].map(({ episodeId }) => episodeId).sort()).toEqual(Object.keys(golden.expected).sort());
    for (const [{ episodeId }, credit] of credits) {
      const expected = golden.expected[episodeId];
      expectClose(credit.advantages, expected?.advantages ?? []);
      expectClose(credit.weights, expected?.weights ?? []);
      expectClose(credit.returns ?? [], expected?.returns ?? []);
    }
  });

  test("has the same loss and gradients", () => {
    const { algorithm, batch, current, credits } = credited(golden);
    let total = 0;
    for (const [trajectory, credit] of credits) {
      const { logprob, entropy, value } = current.get(trajectory) as Current;
      const { gradients } = golden.expected[trajectory.episodeId] as GoldenCase["expected"][string];
      const scored = batch.estimates.get(trajectory);
      if ("gradients" in algorithm.loss) {
        const custom = algorithm.loss.gradients(trajectory, credit, logprob, entropy, scored);
        expectClose(custom.logprob, gradients.logprob);
        expectClose(custom.entropy ?? zerosOf(trajectory), gradients.entropy);
        total += custom.loss;
      } else {
        const inputs = lossInputs(algorithm, trajectory, credit, scored);
        const reference = referenceLoss(algorithm.loss, inputs, { logprob, entropy, value });
        expectClose(reference.logprob, gradients.logprob);
        expectClose(reference.entropy, gradients.entropy);
        expectClose(reference.value, gradients.value);
        total += reference.loss;
      }
    }
    expectClose([total], [golden.loss]);
  });
});

test("the reference covers every algorithm", async () => {
  const { algorithmNames } = await import("#palestra/trainer/algorithms/index.js");
  const tested = new Set(goldenCases.map(({ settings }) => settings.algorithm));
  expect([...tested].sort()).toEqual([...algorithmNames].sort());
});

function zerosOf({ tokens }: Trajectory): number[] {
  return Array.from(tokens, () => 0);
}
