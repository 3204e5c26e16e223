/**
 * Training on a server gives the engine's losses and weights: three train steps of every loss with the same data, on a server
 * of the Tinker API over the same engine, for each reduction of the loss and with the server's own losses or without them.
 */
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Trainer } from "#palestra/native/api/index.js";
import { AlgorithmSettings, createAlgorithm, resolveSettings } from "#palestra/trainer/algorithms/index.js";
import type { ServerFacts } from "#palestra/trainer/backends/tinker/facts.js";
import { probe } from "#palestra/trainer/backends/tinker/probe.js";
import { Sampler } from "#palestra/trainer/backends/tinker/sampler.js";
import { TinkerServer } from "#palestra/trainer/backends/tinker/server.js";
import { TinkerSession } from "#palestra/trainer/backends/tinker/session.js";
import { TinkerTrainer } from "#palestra/trainer/backends/tinker/trainer.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { Group } from "#palestra/trainer/rollout/trajectory.js";
import { configs, engineOfFile, temporaryFolder } from "../../../native/tiny-models.js";
import { trajectory } from "../../../support/trajectories.js";
import { serverAlpha, type TinkerServerOptions, TinkerTestServer } from "../../support/tinker-server.js";

const engine = await engineOfFile(1, { device: "cpu", dtype: "f32" });
const folder = temporaryFolder();
const base = join(folder, "base");
const [rank, seed, maxTokens] = [4, 7, 256];
const signal = new AbortController().signal;

beforeAll(async () => {
  const model = await engine.loadModel({ config: configs.qwen3, seed: 3 });
  await model.save(base);
  model.close();
});

/** Two groups whose tokens were sampled by policies near the trained one. */
async function batch(trainer: Trainer): Promise<Group[]> {
  const random = keyedRandom(5);
  const lines = [
    ["..aa.bb", "...aaaa.b", ".ab"],
    ["..aaa", ".aa.bbb.cc", "....ab.c"],
  ];
  const scores = [
    [1, 0, 0.5],
    [0, 1, 1],
  ];
  const groups: Group[] = [];
  for (const [at, some] of lines.entries()) {
    const trajectories = [];
    for (const [index, line] of some.entries()) {
      const tokens = Int32Array.from(line, () => 1 + Math.floor(random() * 60));
      const { logprob } = await trainer.score({ tokens });
      const one = trajectory(line, [scores[at]?.[index] ?? 0]);
      const logprobs = logprob.map((value, token) => (one.mask[token] === 1 ? value + 0.6 * (random() - 0.5) : 0));
      trajectories.push({ ...one, tokens, logprobs, group: String(at) });
    }
    groups.push({ id: String(at), trajectories, failed: [] });
  }
  return groups;
}

async function local() {
  const model = await engine.loadModel(base);
  onTestFinished(() => model.close());
  return model.trainer({ maxTokens, lora: { rank, alpha: serverAlpha, seed } });
}

/** A trainer on a server, with the facts that the probe measured, and the server. */
async function served(options: Partial<TinkerServerOptions>, given: Record<string, unknown>) {
  const server = await TinkerTestServer.start({ engine, base, folder, ...options });
  onTestFinished(() => server.close());
  const client = new TinkerServer({ url: server.url, apiKey: undefined, patienceMs: 1_000, signal, say: () => {} });
  const session = await TinkerSession.open(client);
  onTestFinished(() => session.close());
  const { loss } = createAlgorithm(AlgorithmSettings.parse(given));
  const model = { base, rank, seed };
  const facts = await probe({
    server: client,
    session,
    model,
    sampler: new Sampler(client, undefined),
    loss: "gradients" in loss ? undefined : loss,
    tokens: Int32Array.of(5, 9, 2, 30, 8, 17),
    signal,
  });
  return { server, facts, trainer: new TinkerTrainer({ session, server: client, model, facts, signal }) };
}

async function threeSteps(
  trainer: ConstructorParameters<typeof Learner>[0],
  reference: Trainer,
  groups: Group[],
  given: object,
) {
  const settings = resolveSettings(AlgorithmSettings.parse(given));
  const learner = new Learner(
    trainer,
    createAlgorithm(AlgorithmSettings.parse(given)),
    { ...settings, max_tokens_per_mb: maxTokens, seed: 3 },
    { reference },
  );
  const steps = [];
  for (let step = 0; step < 3; step++)
    steps.push(await learner.learn(groups, step, { lr: 0.003, beta2: 0.99, clipNorm: 0.5, weightDecay: 0.01 }));
  return steps;
}

const three = { n_samples: 3, ppo_n_minibatches: 2 };
const cases: [string, Record<string, unknown>][] = [
  ["grpo", { algorithm: "grpo", ...three }],
  ["dapo with dual clip", { algorithm: "dapo", c_clip: 3, ...three }],
  ["cispo", { algorithm: "cispo", ...three }],
  ["the decoupled loss", { algorithm: "grpo", use_decoupled_loss: true, behav_imp_weight_cap: 1.2, ...three }],
  ["rloo", { algorithm: "rloo", ...three }],
  ["gspo", { algorithm: "gspo", eps_clip: 0.05, eps_clip_higher: 0.05, ...three }],
  ["sapo", { algorithm: "sapo", ...three }],
  ["grpo with a KL term", { algorithm: "grpo", kl_ctl: 0.05, ...three }],
  ["supervised learning", { algorithm: "sft", ppo_n_minibatches: 2 }],
];
const servers: [string, Partial<TinkerServerOptions>, Partial<ServerFacts>][] = [
  ["the sum of the tokens' losses", {}, { reduction: "sum" }],
  [
    "the rows' means, and no loss but importance sampling",
    { reduction: "means", losses: [] },
    { reduction: "mean of rows' token means" },
  ],
];

describe.each(servers)("on a server with %s", (_, options, expected) => {
  test.each(cases)("%s gives the engine's losses and weights in three train steps", async (_name, given) => {
    const own = await local();
    const groups = await batch(await local());
    const frozen = await local();
    const { server, facts, trainer } = await served(options, given);
    expect(facts).toMatchObject({ ...expected, clipsGradients: true, samplesApart: true });
    const here = await threeSteps(own, frozen, groups, given);
    const there = await threeSteps(trainer, frozen, groups, given);
    for (const [at, { loss, gradientNorm, losses }] of here.entries()) {
      expect(there[at]?.loss).toBeCloseTo(loss, 5);
      expect(there[at]?.gradientNorm).toBeCloseTo(gradientNorm as number, 4);
      const sum = (all: typeof losses, name: "clippedLow" | "clippedHigh" | "dualClipped" | "behaviourCut") =>
        all.reduce((total, part) => total + part[name], 0);
      for (const name of ["clippedLow", "clippedHigh", "dualClipped", "behaviourCut"] as const)
        expect(sum(there[at]?.losses ?? [], name)).toBe(sum(losses, name));
    }
    const tokens = Int32Array.from({ length: 40 }, (_one, token) => (token * 7) % 61);
    const now = (await own.score({ tokens })).logprob;
    const before = (await frozen.score({ tokens })).logprob;
    const theirs = (await server.model(-1).trainer.score({ tokens })).logprob;
    const distance = (a: Float32Array, b: Float32Array) =>
      Math.max(...a.map((one, token) => Math.abs(one - (b[token] as number))));
    expect(distance(now, before)).toBeGreaterThan(0.01);
    expect(distance(now, theirs)).toBeLessThan(1e-4);
  });
});
