/** PPO with a critic of its own: a second model, whose loss does not reach the policy. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Generator, Loss, Model, Trainer } from "#palestra/native/api/index.js";
import { AlgorithmSettings, createAlgorithm, resolveSettings } from "#palestra/trainer/algorithms/index.js";
import { openCritic } from "#palestra/trainer/backends/engine/critic.js";
import { Checkpoints } from "#palestra/trainer/data/checkpoint.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { configs, engineOfFile, temporaryFolder } from "../native/tiny-models.js";
import { distance, type Gradient, OptimiserSteps } from "../support/optimiser-steps.js";
import { trajectory } from "../support/trajectories.js";
import { tinySettings } from "./support/training.js";

// The engine uses float also on a GPU, since the tolerances are for float.
const engine = await engineOfFile(1, { device: "cpu", dtype: "f32" });
const folder = temporaryFolder();
const start = join(folder, "start");
const ppo = { algorithm: "ppo", ppo_n_minibatches: 2 } as const;
const separate = { ...ppo, critic: "separate" } as const;

/** Saves a model with a value head that is not 0. */
beforeAll(async () => {
  if (!engine) return;
  const model = await engine.loadModel({ config: configs.qwen3, seed: 3 }, { valueHead: true });
  const trainer = await model.trainer({ maxTokens: 24 });
  const loss: Loss = { policy: "cross-entropy", valueCoefficient: 1 };
  await trainer.accumulate({ tokens: [1, 2, 3, 4] }, loss, { returns: [0, 3, 1, 2] });
  await trainer.step({ lr: 0.05 });
  await model.save(start);
  model.close();
});

const opened = async (valueHead: boolean) => {
  const model = await engine.loadModel(start, { valueHead });
  return { model, trainer: await model.trainer({ maxTokens: 64 }) };
};

describe("a train step", () => {
  const lines = [".aaaa..bb", "..a.bb.c", ".aa.b", "...a", ".a.bbb"];

  async function batch(trainer: Trainer): Promise<Group[]> {
    const rows = lines.map(async (line, at): Promise<Trajectory> => {
      const row = trajectory(line, [at % 2, 0.25]);
      const tokens = row.tokens.map((_, token) => (7 * at + 3 * token) % 61);
      const { logprob } = await trainer.score({ tokens, mask: row.mask });
      return { ...row, tokens, logprobs: logprob.map((value, token) => (row.mask[token] ? value - 0.1 : 0)) };
    });
    return [{ id: "0", trajectories: await Promise.all(rows), failed: [] }];
  }

  /** Gradients of the policy and of the critic in a train step, for each minibatch. */
  async function gradients(given: Partial<AlgorithmSettings>, criticWeight = 1) {
    const settings = AlgorithmSettings.parse(given);
    const made = createAlgorithm(settings);
    const { criticLoss } = made;
    const algorithm = criticLoss ? { ...made, criticLoss: { ...criticLoss, valueCoefficient: criticWeight } } : made;
    const { trainer } = await opened(true);
    const policy = new OptimiserSteps(trainer, folder);
    const critic = new OptimiserSteps((await opened(true)).trainer, folder);
    const others = criticLoss ? { critic: critic.trainer } : {};
    const resolved = { ...resolveSettings(settings), seed: 11, max_tokens_per_mb: 24 };
    const step = await new Learner(policy.trainer, algorithm, resolved, others).learn(await batch(trainer), 3, {
      lr: 1,
    });
    return { step, policy: policy.gradients, critic: critic.gradients };
  }

  test("gives the policy the same gradient to the last bit when the critic's loss weighs 100 times as much", async () => {
    const [one, other] = [await gradients(separate), await gradients(separate, 100)];
    expect(one.policy).toHaveLength(2);
    expect(other.policy).toEqual(one.policy);
    for (const [at, gradient] of other.critic.entries()) {
      const scaled = (one.critic[at] as Gradient).map((value) => 100 * value);
      expect(distance(gradient, scaled)).toBeLessThan(1e-5);
    }
  });

  test("has the gradient of a shared critic as two parts: the policy's, and vf_coef times the critic's", async () => {
    const apart = await gradients(separate);
    const together = await gradients({ ...ppo, vf_coef: 0.3 });
    expect(together.critic).toEqual([]);
    for (const [at, gradient] of together.policy.entries()) {
      const ofCritic = apart.critic[at] as Gradient;
      const sum = (apart.policy[at] as Gradient).map(
        (value, parameter) => value + 0.3 * (ofCritic[parameter] as number),
      );
      expect(distance(sum, gradient)).toBeLessThan(1e-5);
      expect(distance(apart.policy[at] as Gradient, gradient)).toBeGreaterThan(0.1);
    }
    const valueLoss = (parts: readonly { valueLoss: number }[]) => parts.reduce((all, part) => all + part.valueLoss, 0);
    expect(valueLoss(apart.step.losses)).toBeCloseTo(valueLoss(together.step.losses), 5);
    expect(apart.step.criticGradientNorm).toBeGreaterThan(0);
    expect(together.step.criticGradientNorm).toBeUndefined();
  });

  test("without its critic is refused", async () => {
    const { trainer } = await opened(false);
    const settings = AlgorithmSettings.parse(separate);
    const resolved = { ...resolveSettings(settings), seed: 11, max_tokens_per_mb: 24 };
    const learner = new Learner(trainer, createAlgorithm(settings), resolved);
    await expect(learner.learn(await batch(trainer), 0, { lr: 1 })).rejects.toThrow("expected a critic for ppo");
  });
});

describe("the critic", () => {
  const settings = { ...tinySettings(folder, separate), max_tokens_per_mb: 64 };
  const tokens = Int32Array.from({ length: 9 }, (_, at) => (5 * at) % 61);
  const towards = async (critic: Trainer, value: number, lr = 0.01) => {
    const returns = tokens.map(() => value);
    const loss: Loss = { policy: "reinforce", valueCoefficient: 1 };
    const inputs = { returns: Float32Array.from(returns), advantage: new Float32Array(tokens.length) };
    await critic.accumulate({ tokens }, loss, inputs);
    await critic.step({ lr });
  };

  test.each([0, 4])(
    "of a run with lora_rank %i starts as the starting model, and learns without the policy",
    async (rank) => {
      const { trainer } = await opened(true);
      const before = await trainer.score({ tokens }, { value: true });
      const critic = await openCritic({ engine, folder: start, settings: { ...settings, lora_rank: rank } });
      expect(await critic.score({ tokens }, { value: true })).toEqual(before);
      await towards(critic, 5);
      const after = await critic.score({ tokens }, { value: true });
      expect(after.value?.[4]).toBeGreaterThan(before.value?.[4] as number);
      expect(after.logprob).not.toEqual(before.logprob);
      expect(await trainer.score({ tokens }, { value: true })).toEqual(before);
    },
  );

  test("is saved beside the policy in a checkpoint, and continues from there bit for bit", async () => {
    const { trainer } = await opened(false);
    const critic = await openCritic({ engine, folder: start, settings });
    await towards(critic, 5);
    const checkpoints = new Checkpoints(join(folder, "checkpoints"), 1);
    const state = { format: 1, trainStep: 1, settings: {}, parts: {} } as const;
    await checkpoints.save({ trainer, critic }, state);
    await towards(critic, 5);
    const ahead = await critic.score({ tokens }, { value: true });
    const other = await openCritic({ engine, folder: start, settings });
    expect(await checkpoints.restore({ trainer, critic: other })).toEqual(state);
    await towards(other, 5);
    expect(await other.score({ tokens }, { value: true })).toEqual(ahead);
  });
});

/** A task of three tokens. Each token that equals the last token of the prompt earns a third. */
async function play(generator: Generator, number: number): Promise<Trajectory> {
  const wanted = 3 + (number % 2);
  const prompt = [1, wanted];
  const request = { tokens: prompt, maxNewTokens: 3, seed: 5, stream: number };
  const { tokens, logprobs } = await generator.submit(request).result;
  const score = [...tokens].filter((token) => token === wanted).length / 3;
  const row = trajectory("..aaa", [score]);
  return {
    ...row,
    tokens: Int32Array.from([...prompt, ...tokens]),
    logprobs: Float32Array.from([0, 0, ...logprobs]),
    versions: Int32Array.of(-1, -1, 0, 0, 0),
  };
}

const small = { ...configs.llama, vocab_size: 8 };

async function learn(given: Partial<AlgorithmSettings>, trainSteps: number) {
  const settings = AlgorithmSettings.parse(given);
  const algorithm = createAlgorithm(settings);
  const load = (valueHead: boolean): Promise<Model> => engine.loadModel({ config: small, seed: 3 }, { valueHead });
  const model = await load(algorithm.needs.values);
  const trainer = await model.trainer({ maxTokens: 512 });
  const critic = algorithm.criticLoss && (await (await load(true)).trainer({ maxTokens: 512 }));
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const resolved = { ...resolveSettings(settings), seed: 11, max_tokens_per_mb: 512 };
  const learner = new Learner(trainer, algorithm, resolved, { critic });
  const scores: number[] = [];
  for (let step = 0; step < trainSteps; step++) {
    const numbers = Array.from({ length: 32 }, (_, at) => 32 * step + at);
    const trajectories = await Promise.all(numbers.map((number) => play(generator, number)));
    scores.push(trajectories.reduce((sum, { return: score }) => sum + score, 0) / trajectories.length);
    await learner.learn([{ id: `${step}`, trajectories, failed: [] }], step, { lr: 1e-3 });
    await generator.update();
  }
  const judge = critic ?? trainer;
  const { value = new Float32Array() } = await judge.score({ tokens: [1, 3, 3, 3, 3] }, { value: true });
  return { before: scores[0] as number, after: scores.at(-1) as number, value: value[2] as number };
}

test.each(["shared", "separate"] as const)(
  "a policy with a %s critic learns, and the critic predicts the return",
  async (critic) => {
    const { before, after, value } = await learn({ ...ppo, critic, entropy_coef: 0.02 }, 80);
    expect(before).toBeLessThan(0.3);
    expect(after).toBeGreaterThan(0.85);
    expect(Math.abs(value - after)).toBeLessThan(0.25);
  },
);
