/**
 * A train step in which rows share the tokens with which they begin equals one in which each row repeats them: the
 * gradients of every algorithm and architecture, the estimates, and the weights after AdamW.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Trainer } from "#palestra/native/api/index.js";
import {
  AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  resolveSettings,
} from "#palestra/trainer/algorithms/index.js";
import type { PolicyTrainer } from "#palestra/trainer/backends/backend.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { SampledRow, Teacher } from "#palestra/trainer/policy/teacher.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { configs, engineOfFile, type Json, temporaryFolder } from "../native/tiny-models.js";
import { distance, type Gradient, OptimiserSteps, tensorsOf } from "../support/optimiser-steps.js";
import { trajectory } from "../support/trajectories.js";

const engine = await engineOfFile(2, { dtype: "f32" });
const folder = temporaryFolder();
const maxTokens = 160;

/** Rows of three groups: a system prompt that all have, a prompt of each group, and replies and observations. */
async function batch(trainer: Trainer): Promise<Group[]> {
  const random = keyedRandom(5);
  const below = (limit: number) => Math.floor(random() * limit);
  const text = (length: number) => Array.from({ length }, () => below(61));
  const system = text(18);
  const groups = ["aaa.bb", "aa.b..ccc", "a"].map(async (replies, id): Promise<Group> => {
    const prompt = [...system, ...text(17 + id)];
    const rows = Array.from({ length: 4 }, async (_, at): Promise<Trajectory> => {
      const row = trajectory(`${".".repeat(prompt.length)}${replies}`, [(at + id) % 2, 0.25 * at]);
      const tokens = Int32Array.from([...prompt, ...text(replies.length)]);
      const { logprob } = await trainer.score({ tokens, mask: row.mask });
      const logprobs = logprob.map((value, token) => (row.mask[token] ? value + 0.4 * (random() - 0.5) : 0));
      return { ...row, tokens, logprobs };
    });
    return { id: `${id}`, trajectories: await Promise.all(rows), failed: [] };
  });
  return Promise.all(groups);
}

/** The same trainer, for rows that share no tokens. */
const alone = (trainer: Trainer): PolicyTrainer =>
  new Proxy(trainer, {
    get: (real, name) => {
      if (name === "takesParents") return false;
      const value = Reflect.get(real, name, real);
      return typeof value === "function" ? value.bind(real) : value;
    },
  });

interface Opened {
  readonly policy: Trainer;
  readonly reference: Trainer;
  readonly critic: Trainer;
}

async function opened(config: Json): Promise<Opened> {
  const open = async (seed: number, valueHead: boolean) =>
    (await engine.loadModel({ config, seed }, { valueHead })).trainer({ maxTokens, recompute: "layer" });
  const [policy, reference, critic] = [await open(3, true), await open(4, false), await open(5, true)];
  for (const trainer of [policy, critic]) {
    const inputs = { advantage: [0, 0, 0, 0], returns: [0, 3, 1, 2] };
    await trainer.accumulate({ tokens: [1, 2, 3, 4] }, { policy: "reinforce", valueCoefficient: 1 }, inputs);
    await trainer.step({ lr: 0.05 });
  }
  return { policy, reference, critic };
}

type Settings = Partial<AlgorithmSettings>;

function teacherOf(model: Trainer): Teacher {
  const logprobs = (rows: readonly SampledRow[]) =>
    Promise.all(rows.map(async ({ tokens, mask }) => (await model.score({ tokens, mask })).logprob));
  return { logprobs, close: () => {} };
}

function learnerOf(settings: Settings, trainer: PolicyTrainer, { reference, critic }: Opened, shares: boolean) {
  const given = AlgorithmSettings.parse(settings);
  const algorithm = createAlgorithm(given);
  const as = (model: Trainer) => (shares ? model : alone(model));
  const others = {
    ...(algorithm.needs.reference && { reference: as(reference) }),
    ...(algorithm.criticLoss && { critic: as(critic) }),
    ...(algorithm.needs.teacher && { teacher: teacherOf(reference) }),
  };
  const resolved = { ...resolveSettings(given), seed: 11, max_tokens_per_mb: maxTokens };
  return new Learner(trainer, algorithm, resolved, others);
}

async function gradientsOf(settings: Settings, models: Opened, shares: boolean) {
  const steps = new OptimiserSteps(models.policy, folder);
  const trainer = shares ? steps.trainer : alone(steps.trainer);
  const criticSteps = new OptimiserSteps(models.critic, folder);
  const learner = learnerOf(settings, trainer, { ...models, critic: criticSteps.trainer }, shares);
  const step = await learner.learn(await batch(models.policy), 3, { lr: 1 });
  return { step, gradients: [...steps.gradients, ...criticSteps.gradients] };
}

async function expectEqualGradients(settings: Settings, config: Json): Promise<void> {
  const models = await opened(config);
  const [shared, repeated] = [await gradientsOf(settings, models, true), await gradientsOf(settings, models, false)];
  expect(shared.gradients.length).toBeGreaterThan(0);
  for (const [at, gradient] of repeated.gradients.entries()) {
    expect(distance(shared.gradients[at] as Gradient, gradient)).toBeLessThan(1e-6);
  }
  expect(shared.step.loss).toBeCloseTo(repeated.step.loss, 6);
  const { trainedTokens, computedTokens } = shared.step;
  expect(repeated.step).toMatchObject({ trainedTokens, computedTokens: trainedTokens });
  expect(computedTokens).toBeLessThan(0.7 * trainedTokens);
}

const variants: Settings[] = [
  ...algorithmNames.map((algorithm): Settings => ({ algorithm, ppo_n_minibatches: 1, max_completion_length: 10 })),
  { algorithm: "grpo", kl_ctl: 0.05, entropy_coef: 0.01, recompute_logprob: true, ppo_n_minibatches: 2 },
  { algorithm: "sapo", kl_ctl: 0.05, entropy_coef: 0.01, ppo_n_minibatches: 2 },
  { algorithm: "ppo", critic: "separate", ppo_n_minibatches: 1 },
];

describe("rows that share their prompts have the gradients of rows that repeat them", () => {
  test.each(variants.map((variant) => ({ title: JSON.stringify(variant), variant })))("$title", ({ variant }) =>
    expectEqualGradients(variant, configs.qwen3),
  );

  test.each(["llama", "qwen2"] as const)("in %s", (name) =>
    expectEqualGradients({ algorithm: "grpo", kl_ctl: 0.05, entropy_coef: 0.01, ppo_n_minibatches: 1 }, configs[name]),
  );
});

test("a train step with shared prompts gives the weights of one with repeated prompts", async () => {
  const weights = [];
  for (const shares of [true, false]) {
    const models = await opened(configs.llama);
    const trainer = shares ? models.policy : alone(models.policy);
    const learner = learnerOf({ algorithm: "grpo", ppo_n_minibatches: 2 }, trainer, models, shares);
    const { optimiserSteps } = await learner.learn(await batch(models.policy), 3, { lr: 1e-4, clipNorm: 1 });
    expect(optimiserSteps).toBe(2);
    const file = join(folder, `trained-${shares}`);
    await models.policy.save(file);
    weights.push(tensorsOf(readFileSync(file), "weights/"));
  }
  const [shared, repeated] = weights as [Float32Array, Float32Array];
  expect(distance(shared, repeated)).toBeLessThan(1e-6);
});
