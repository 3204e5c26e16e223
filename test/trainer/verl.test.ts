/**
 * Compares the parameter gradients of a train step with verl's own functions, minibatch by minibatch
 * (test/peers/verl-minibatches.py). The batch has a group of equal rewards, and the test covers verl's four
 * aggregations on the engine in float.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Trainer } from "#palestra/native/api/index.js";
import { AlgorithmSettings, createAlgorithm, resolveSettings } from "#palestra/trainer/algorithms/index.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { configs, engineOfFile, temporaryFolder } from "../native/tiny-models.js";
import { distance, type Gradient, OptimiserSteps } from "../support/optimiser-steps.js";

interface Sequence {
  group: number;
  mask: number[];
  reward: number;
  current: number[];
  behaviour: number[];
  reference: number[];
}

interface Case {
  settings: Partial<AlgorithmSettings>;
  onPolicy: boolean;
  minibatches: { sequences: number[]; gradients: number[][] }[];
}

const golden: { verl: string; sequences: Sequence[]; cases: Case[] } = JSON.parse(
  readFileSync(new URL("../fixtures/trainer/verl.json", import.meta.url), "utf8"),
);
// The engine uses float also on a GPU, since the tolerances are for float.
const engine = await engineOfFile(1, { dtype: "f32" });
const folder = temporaryFolder();
let trainer: Trainer;
/** Log-probabilities `[tokens]` under the model, by sequence. */
let logprobs: Float32Array[];

beforeAll(async () => {
  if (!engine) return;
  const model = await engine.loadModel({ config: configs.qwen3, seed: 3 });
  trainer = await model.trainer({ maxTokens: 40 });
  logprobs = [];
  for (const at of golden.sequences.keys()) logprobs.push((await trainer.score(packOf(at))).logprob);
});

function packOf(at: number) {
  const { mask } = golden.sequences[at] as Sequence;
  return { tokens: Int32Array.from(mask, (_, token) => (token * 17 + at * 5 + 3) % 61), mask: Uint8Array.from(mask) };
}

/**
 * A recorded column, shifted by the difference between the recorded and the model's log-probabilities. The losses
 * depend only on differences.
 */
function around(at: number, column: readonly number[]): Float32Array {
  const { mask, current } = golden.sequences[at] as Sequence;
  const own = logprobs[at] as Float32Array;
  return own.map((value, token) =>
    mask[token] === 1 ? value + (column[token] as number) - (current[token] as number) : 0,
  );
}

function trajectoryOf(at: number, onPolicy: boolean): Trajectory {
  const { mask, reward, group, current, behaviour } = golden.sequences[at] as Sequence;
  return {
    ...packOf(at),
    episodeId: `${at}`,
    group: `${group}`,
    played: { environment: "counting@1", split: "train", index: group, seed: 0 },
    logprobs: around(at, onPolicy ? current : behaviour),
    versions: Int32Array.from(mask, (sampled) => sampled - 1),
    steps: [{ first: 0, end: mask.length, action: "count", observationHash: "", reward }],
    status: "terminated",
    return: reward,
    solved: reward >= 1,
  };
}

function groupsOf(onPolicy: boolean): Group[] {
  const all = golden.sequences.map(({ group }, at) => ({ group, row: trajectoryOf(at, onPolicy) }));
  return [...new Set(all.map(({ group }) => group))].map((id) => ({
    id: `${id}`,
    trajectories: all.filter(({ group }) => group === id).map(({ row }) => row),
    failed: [],
  }));
}

/** Returns the recorded log-probabilities of the reference policy. */
const reference = {
  score: async ({ tokens }: { tokens: ArrayLike<number> }) => {
    const columns: number[] = [];
    for (let from = 0; from < tokens.length; ) {
      const at = golden.sequences.findIndex(({ mask }, index) =>
        packOf(index).tokens.every((token, k) => tokens[from + k] === token && k < mask.length),
      );
      columns.push(...around(at, (golden.sequences[at] as Sequence).reference));
      from += (golden.sequences[at] as Sequence).mask.length;
    }
    return { logprob: Float32Array.from(columns) };
  },
} as unknown as Trainer;

async function recorded({ sequences, gradients }: Case["minibatches"][number]): Promise<Gradient> {
  for (const [index, at] of sequences.entries()) {
    await trainer.accumulateGradients(packOf(at), { logprob: gradients[index] as number[] });
  }
  return (await new OptimiserSteps(trainer, folder).take()).gradient;
}

const titles = golden.cases.map((golden) => ({ title: JSON.stringify(golden.settings), golden }));

describe(`verl ${golden.verl}`, () => {
  test.each(titles)("$title", async ({ golden: { settings: given, onPolicy, minibatches } }) => {
    const settings = AlgorithmSettings.parse(given);
    const resolved = { ...resolveSettings(settings), seed: 11, max_tokens_per_mb: 40 };
    const steps = new OptimiserSteps(trainer, folder);
    const learner = new Learner(steps.trainer, createAlgorithm(settings), resolved, { reference });
    await learner.learn(groupsOf(onPolicy), 3, { lr: 1 });
    expect(steps.gradients).toHaveLength(minibatches.length);
    for (const [at, minibatch] of minibatches.entries()) {
      expect(distance(steps.gradients[at] as Gradient, await recorded(minibatch))).toBeLessThan(1e-4);
    }
  });
});
