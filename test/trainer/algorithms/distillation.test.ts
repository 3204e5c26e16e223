/** Compares on-policy distillation with TRL's own losses on fixed logits (test/peers/trl-distillation.py). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AlgorithmSettings, createAlgorithm, type Estimates, lossInputs } from "#palestra/trainer/algorithms/index.js";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { referenceLoss } from "../../support/reference-loss.js";
import { group, trajectory } from "../../support/trajectories.js";

/** Arrays are `[rows, tokens]` or `[rows, tokens, vocabulary]`. */
interface Case {
  temperature: number;
  mask: number[][];
  tokens: number[][];
  student: number[][][];
  teacher: number[][][];
  sampled: { loss: number; gradient: number[][][] };
  whole: { loss: number; gradient: number[][][] };
}

const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(new URL("../../fixtures/trainer/distillation.json", import.meta.url), "utf8"),
);

function logSoftmax(logits: readonly number[], temperature: number): number[] {
  const scaled = logits.map((logit) => logit / temperature);
  const total = Math.log(scaled.reduce((sum, value) => sum + Math.exp(value), 0));
  return scaled.map((value) => value - total);
}

/** Loss of the batch if the given tokens are sampled, and its gradient in each token's log-probability. */
function distill(golden: Case, tokens: readonly (readonly number[])[]) {
  const { temperature, mask } = golden;
  const settings = { algorithm: "on-policy-distillation", baseline: "none", temperature };
  const algorithm = createAlgorithm(AlgorithmSettings.parse(settings));
  const ofTokens = (logits: readonly number[][], row: number) =>
    Float32Array.from(logits, (each, at) => logSoftmax(each, temperature)[tokens[row]?.[at] as number] as number);
  const estimates = new Map<Trajectory, Estimates>();
  const rows = mask.map((sampled, row) => {
    const line = sampled.map((one) => (one ? "a" : ".")).join("");
    const made = { ...trajectory(line, [0]), logprobs: ofTokens(golden.student[row] as number[][], row) };
    estimates.set(made, { teacher: ofTokens(golden.teacher[row] as number[][], row) });
    return made;
  });
  const credits = algorithm.credit({ groups: rows.map((row) => group(row)), estimates });
  const each = rows.map((row) => {
    const credit = credits.get(row);
    if (!credit || "gradients" in algorithm.loss) throw new TypeError("expected the engine's loss of every row");
    const zeros = new Float32Array(row.tokens.length);
    const scores = { logprob: row.logprobs, entropy: zeros, value: zeros };
    return { credit, ...referenceLoss(algorithm.loss, lossInputs(algorithm, row, credit, estimates.get(row)), scores) };
  });
  return { rows, each };
}

/** Gradient in the logits of a place, from the gradient in the log-probability of the sampled token. */
function inLogits(golden: Case, row: number, at: number, token: number, gradient: number): number[] {
  const logits = golden.student[row]?.[at] as number[];
  return logSoftmax(logits, golden.temperature).map(
    (value, logit) => (gradient * (Number(logit === token) - Math.exp(value))) / golden.temperature,
  );
}

describe.each(cases)("at temperature $temperature", (golden) => {
  test("the loss and the gradient in the logits are those of TRL's IWOPDTrainer", () => {
    const { rows, each } = distill(golden, golden.tokens);
    // TRL's loss is -A log pi. The clipped ratio has the same gradient on policy, and the value -A.
    let loss = 0;
    for (const [row, { credit, logprob }] of each.entries()) {
      const { logprobs, mask } = rows[row] as Trajectory;
      for (const [at, token] of (golden.tokens[row] as number[]).entries()) {
        loss -= (credit.weights[at] as number) * (credit.advantages[at] as number) * (logprobs[at] as number);
        const ours = inLogits(golden, row, at, token, logprob[at] as number);
        const theirs = golden.sampled.gradient[row]?.[at] as number[];
        for (const [logit, value] of ours.entries()) expect(value).toBeCloseTo(theirs[logit] as number, 6);
        expect(ours.some((value) => value !== 0)).toBe(mask[at] === 1);
      }
    }
    expect(loss).toBeCloseTo(golden.sampled.loss, 5);
  });

  test("the expected gradient is that of the reverse KL over the vocabulary, as of TRL's GKDTrainer", () => {
    const vocabulary = golden.student[0]?.[0]?.length as number;
    const expected = golden.student.map((row) => row.map((logits) => logits.map(() => 0)));
    for (let token = 0; token < vocabulary; token++) {
      const { each } = distill(
        golden,
        golden.tokens.map((row) => row.map(() => token)),
      );
      for (const [row, { logprob }] of each.entries()) {
        for (const [at, logits] of (golden.student[row] as number[][]).entries()) {
          const chance = Math.exp(logSoftmax(logits, golden.temperature)[token] as number);
          const part = inLogits(golden, row, at, token, logprob[at] as number);
          const sums = expected[row]?.[at] as number[];
          for (const [logit, value] of part.entries()) sums[logit] = (sums[logit] as number) + chance * value;
        }
      }
    }
    for (const [row, places] of expected.entries()) {
      for (const [at, sums] of places.entries()) {
        const theirs = golden.whole.gradient[row]?.[at] as number[];
        for (const [logit, value] of sums.entries()) expect(value).toBeCloseTo(theirs[logit] as number, 6);
      }
    }
  });
});
