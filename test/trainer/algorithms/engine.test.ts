/**
 * Compares the engine's loss and gradient for every algorithm with a float64 reference. The test subtracts the
 * reference's gradient from the engine's, and the norm of the difference must be close to 0.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Engine, type Loss, type LossInputs, type Trainer } from "#palestra/native/api/index.js";
import {
  AlgorithmSettings,
  type Batch,
  type CustomLoss,
  createAlgorithm,
  type Estimates,
  lossInputs,
} from "#palestra/trainer/algorithms/index.js";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { configs, needsEngine } from "../../native/tiny-models.js";
import { type Current, goldenBatch, goldenCases } from "../../support/golden-algorithms.js";
import { referenceLoss } from "../../support/reference-loss.js";

needsEngine();
let engine: Engine;
let trainer: Trainer;
let batch: Batch;
let current: Map<Trajectory, Current>;

beforeAll(async () => {
  engine = await Engine.create({ threads: 2, deterministic: true }).catch(() => undefined as never);
  if (!engine) return;
  const model = await engine.loadModel({ config: configs.qwen3, seed: 3 }, { valueHead: true });
  trainer = await model.trainer({ maxTokens: 64 });
  const tokens = Array.from({ length: 20 }, (_, token) => token);
  const returns = tokens.map((token) => token % 3);
  await trainer.accumulate({ tokens }, { policy: "cross-entropy", valueCoefficient: 1 }, { returns });
  await trainer.step({ lr: 0.05 });
  ({ batch, current } = await aroundTheModel());
});
afterAll(() => engine?.close());

/** The golden batch, with its log-probabilities shifted to those of the model. */
async function aroundTheModel(): Promise<{ batch: Batch; current: Map<Trajectory, Current> }> {
  const golden = goldenBatch("1");
  const scored = new Map<Trajectory, Estimates>();
  const scores = new Map<Trajectory, Current>();
  const groups = [];
  for (const group of golden.batch.groups) {
    const trajectories = [];
    for (const trajectory of group.trajectories) {
      const { tokens, mask } = trajectory;
      const now = (await trainer.score({ tokens, mask }, { entropy: true, value: true })) as Current;
      const was = golden.current.get(trajectory) as Current;
      const { logprobs, reference, teacher, values } = golden.batch.estimates.get(trajectory) as Required<Estimates>;
      const move = (from: Float32Array, to: Float32Array, array: Float32Array) =>
        array.map((value, token) => (mask[token] === 1 ? value - (from[token] as number) + (to[token] as number) : 0));
      const moved = { ...trajectory, logprobs: move(was.logprob, now.logprob, trajectory.logprobs) };
      trajectories.push(moved);
      scores.set(moved, now);
      scored.set(moved, {
        logprobs: move(was.logprob, now.logprob, logprobs),
        reference: move(was.logprob, now.logprob, reference),
        teacher: move(was.logprob, now.logprob, teacher),
        values: move(was.value, now.value, values),
      });
    }
    groups.push({ ...group, trajectories });
  }
  return { batch: { groups, estimates: scored }, current: scores };
}

/** Norm of the gradient that is accumulated in the engine. */
async function norm(): Promise<number> {
  return (await trainer.step({ lr: 0 })).gradientNorm;
}

const create = (settings: Partial<AlgorithmSettings>) => createAlgorithm(AlgorithmSettings.parse(settings));
const negated = (values: Float64Array) => Float32Array.from(values, (value) => -value);

const cases = goldenCases.filter(({ batch: name, settings }) => name === "1" && settings.algorithm !== "sapo");
test.each(cases.map(({ settings }) => ({ title: JSON.stringify(settings), settings })))(
  "$title",
  async ({ settings }) => {
    const algorithm = create(settings);
    const { loss } = algorithm;
    if ("gradients" in loss) throw new TypeError("expected a loss of the engine");
    const parts = [...algorithm.credit(batch)].map(([trajectory, credit]) => {
      const inputs = lossInputs(algorithm, trajectory, credit, batch.estimates.get(trajectory));
      const { tokens, mask } = trajectory;
      return {
        pack: { tokens, mask },
        inputs,
        reference: referenceLoss(loss, inputs, current.get(trajectory) as Current),
      };
    });

    for (const { pack, inputs, reference } of parts) {
      const { loss: ours } = await trainer.accumulate(pack, loss, inputs);
      expect(Math.abs(ours - reference.loss)).toBeLessThan(1e-5 * Math.max(1, Math.abs(reference.loss)));
    }
    const whole = await norm();
    expect(whole).toBeGreaterThan(1e-4);

    for (const { pack, inputs, reference } of parts) {
      await trainer.accumulate(pack, loss, inputs);
      const { logprob, entropy, value } = reference;
      const back = { logprob: negated(logprob), entropy: negated(entropy), value: negated(value) };
      await trainer.accumulateGradients(pack, back);
    }
    expect(await norm()).toBeLessThan(1e-5 * whole);
  },
);

test("sapo's gradient in the engine equals GRPO's at a ratio of 1, with KL and entropy terms", async () => {
  const terms = { kl_ctl: 0.05, entropy_coef: 0.01 };
  const [ours, theirs] = [create({ algorithm: "sapo", ...terms }), create({ algorithm: "grpo", ...terms })];
  if (!("gradients" in ours.loss) || "gradients" in theirs.loss) throw new TypeError("expected one loss of each kind");
  const credits = ours.credit(batch);
  const pass = async (isTakenBack: boolean): Promise<number> => {
    for (const [trajectory, credit] of credits) {
      const { logprob, entropy } = current.get(trajectory) as Current;
      const pack = { tokens: trajectory.tokens, mask: trajectory.mask };
      const now = { ...trajectory, logprobs: logprob };
      const scored = batch.estimates.get(trajectory);
      await trainer.accumulate(pack, theirs.loss as Loss, lossInputs(theirs, now, credit, scored));
      if (!isTakenBack) continue;
      const custom = (ours.loss as CustomLoss).gradients(now, credit, logprob, entropy, scored);
      const back = { logprob: custom.logprob.map((x) => -x), entropy: custom.entropy?.map((x) => -x) ?? [] };
      await trainer.accumulateGradients(pack, back);
    }
    return norm();
  };
  const whole = await pass(false);
  expect(whole).toBeGreaterThan(1e-4);
  expect(await pass(true)).toBeLessThan(1e-5 * whole);
});

test("packed trajectories have the same loss and gradient as each one alone", async () => {
  const algorithm = create({ algorithm: "gspo", eps_clip: 0.1 });
  if ("gradients" in algorithm.loss) throw new TypeError("expected a loss of the engine");
  const chosen = [...algorithm.credit(batch)].slice(0, 2);
  const packs = chosen.map(([trajectory, credit]) => ({
    pack: { tokens: trajectory.tokens, mask: trajectory.mask },
    inputs: lossInputs(algorithm, trajectory, credit, batch.estimates.get(trajectory)),
  }));
  let alone = 0;
  for (const { pack, inputs } of packs) alone += (await trainer.accumulate(pack, algorithm.loss, inputs)).loss;
  const expected = await norm();
  const join = (name: keyof LossInputs) => packs.flatMap(({ inputs }) => Array.from(inputs[name] as Float32Array));
  const together = await trainer.accumulate(
    {
      tokens: packs.flatMap(({ pack }) => [...pack.tokens]),
      mask: packs.flatMap(({ pack }) => [...pack.mask]),
      starts: [0, packs[0]?.pack.tokens.length ?? 0, packs.reduce((total, { pack }) => total + pack.tokens.length, 0)],
    },
    algorithm.loss,
    { weight: join("weight"), advantage: join("advantage"), proximal: join("proximal") },
  );
  expect(together.loss).toBeCloseTo(alone, 6);
  expect(await norm()).toBeCloseTo(expected, 5);
});
