/** Cloning with the real engine: the split of a step into passes, and its optimiser settings. */
import { beforeAll, expect, test } from "vitest";
import type { Engine, StepOptions, Trainer } from "#palestra/native/api/index.js";
import { type CloningSettings, type CloningStep, clone, type Example } from "#palestra/trainer/start/cloning.js";
import { configs, engineOfFile, needsEngine } from "../../native/tiny-models.js";

needsEngine();
let engine: Engine | undefined;
beforeAll(async () => {
  engine = await engineOfFile(1, { dtype: "f32" });
});

const settings: CloningSettings = {
  seed: 1,
  clone_epochs: 2,
  clone_lr: 1e-2,
  clone_tokens_per_step: 60,
  clone_observation_weight: 0.5,
  max_tokens_per_mb: 64,
  ...{ beta1: 0.8, beta2: 0.97, eps: 1e-6, weight_decay: 0.03, gradient_clipping: 0.7 },
};

/**
 * Examples with different lengths and shares of reply tokens, so that the mean over passes differs from the mean over
 * tokens.
 */
const examples: Example[] = Array.from({ length: 12 }, (_, at) => {
  const length = 7 + ((at * 5) % 11);
  return {
    tokens: Int32Array.from({ length }, (_, token) => (3 * at + 7 * token) % 20),
    mask: Uint8Array.from({ length }, (_, token) => Number(token > at % 4 && token % 3 !== at % 3)),
  };
});

interface Told {
  readonly steps: CloningStep[];
  readonly norms: number[];
  readonly rules: StepOptions[];
  /** Number of tokens of each pass. */
  readonly passes: number[];
  readonly logprobs: Float32Array;
}

async function cloned(changes: Partial<CloningSettings> = {}, given = examples): Promise<Told> {
  const all = { ...settings, ...changes };
  const model = await engine?.loadModel({ config: configs.qwen3, seed: 3 });
  if (!model) throw new Error("expected an engine");
  const trainer = await model.trainer({ maxTokens: all.max_tokens_per_mb });
  const told = {
    steps: [] as CloningStep[],
    norms: [] as number[],
    rules: [] as StepOptions[],
    passes: [] as number[],
  };
  const watched = {
    accumulate: (...call: Parameters<Trainer["accumulate"]>) => {
      told.passes.push(call[0].tokens.length);
      return trainer.accumulate(...call);
    },
    step: async (rule: StepOptions) => {
      told.rules.push(rule);
      const result = await trainer.step(rule);
      told.norms.push(result.gradientNorm);
      return result;
    },
  } as unknown as Trainer;
  await clone(watched, given, all, new AbortController().signal, (step) => told.steps.push(step));
  const { logprob } = await trainer.score({ tokens: [1, 2, 3, 4, 5, 6, 7, 8] });
  model.close();
  return { ...told, logprobs: logprob };
}

test("a step with more tokens than a pass has the gradient of one pass over all tokens", async () => {
  const whole = await cloned();
  const split = await cloned({ max_tokens_per_mb: 20 });
  expect(whole.passes.length).toBe(whole.steps.length);
  expect(Math.max(...whole.passes)).toBeGreaterThan(40);
  expect(Math.max(...split.passes)).toBeLessThanOrEqual(20);
  expect(split.passes.length).toBeGreaterThan(2 * whole.passes.length);
  expect(split.steps.map(({ tokens }) => tokens)).toEqual(whole.steps.map(({ tokens }) => tokens));
  for (const [at, { loss }] of split.steps.entries()) {
    expect(loss).toBeCloseTo(whole.steps[at]?.loss as number, 4);
    expect(Math.abs((split.norms[at] as number) / (whole.norms[at] as number) - 1)).toBeLessThan(1e-3);
  }
  for (const [token, logprob] of split.logprobs.entries()) {
    expect(logprob).toBeCloseTo(whole.logprobs[token] as number, 3);
  }
});

test("training on replies only gives the same gradient, split or not", async () => {
  const whole = await cloned({ clone_observation_weight: 0 });
  const split = await cloned({ clone_observation_weight: 0, max_tokens_per_mb: 20 });
  for (const [at, { loss }] of split.steps.entries()) expect(loss).toBeCloseTo(whole.steps[at]?.loss as number, 4);
});

test("each step uses the run's optimiser settings, and its own weight decay if one is given", async () => {
  const { rules } = await cloned();
  for (const { lr, ...rule } of rules) {
    expect(lr).toBeGreaterThan(0);
    expect(rule).toEqual({ beta1: 0.8, beta2: 0.97, epsilon: 1e-6, weightDecay: 0.03, clipNorm: 0.7 });
  }
  const own = await cloned({ clone_weight_decay: 0 });
  expect(own.rules.map(({ weightDecay }) => weightDecay)).toEqual(own.rules.map(() => 0));
});

test("an example longer than a pass is refused before the first step, with the remedy", async () => {
  const long = { tokens: new Int32Array(21), mask: new Uint8Array(21).fill(1) };
  await expect(cloned({ max_tokens_per_mb: 20 }, [...examples, long])).rejects.toThrow(
    "expected examples of at most max_tokens_per_mb 20 tokens, but received an example of 21. Raise max_tokens_per_mb or lower context_length.",
  );
  await expect(cloned({}, [])).rejects.toThrow("expected examples to clone, but received none");
});
