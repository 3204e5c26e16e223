/** The train step of a group whose rollouts share their prompt, beside the same step in which each rollout repeats it. */
import { Engine, type Model, type Trainer } from "#palestra/native/api/index.js";
import { AlgorithmSettings, createAlgorithm, resolveSettings } from "#palestra/trainer/algorithms/index.js";
import type { PolicyTrainer } from "#palestra/trainer/backends/backend.js";
import { Learner } from "#palestra/trainer/learner.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { multipliesBf16 } from "#palestra/trainer/start/engine.js";
import type { BenchResult } from "./report.js";

export interface SharedPromptsOptions {
  /** Folder in Hugging Face's layout, or GGUF file. */
  readonly model: string;
  /** Data type of the engine; `auto`: bf16 on processors that multiply it, as in training. */
  readonly dtype: "auto" | "bf16" | "f32";
  readonly rounds: number;
  readonly rollouts: number;
  /** Tokens that all rollouts begin with, and tokens of their own. */
  readonly shared: number;
  readonly own: number;
}

/** Seconds of one train step, and of its passes through the model, without the optimizer. */
interface Times {
  readonly step: number;
  readonly passes: number;
}

/** Tokens of a reply, and of the observation after it, in TextCraft with SmolLM2. */
const [reply, observation] = [21, 9];

const packTokens = 2_048;

export async function sharedPrompts(options: SharedPromptsOptions): Promise<BenchResult[]> {
  const engine = await openEngine(options.dtype);
  try {
    const model = await engine.loadModel(options.model);
    const trainer = await model.trainer({ maxTokens: packTokens });
    const group = groupOf(model, options);
    const whole = new Clocked(trainer, false);
    const shared = new Clocked(trainer, true);
    const times: { whole: Times; shared: Times }[] = [];
    let tokens = { trained: 0, computed: 0 };
    for (let round = 0; round < options.rounds; round++) {
      const repeated = await whole.learn(group);
      const { report, ...rest } = await shared.learn(group);
      tokens = { trained: report.trainedTokens, computed: report.computedTokens };
      times.push({ whole: repeated, shared: rest });
    }
    const best = (kind: "whole" | "shared", part: keyof Times) => Math.min(...times.map((each) => each[kind][part]));
    const seconds = (name: string, part: keyof Times): BenchResult => ({
      name,
      value: best("shared", part),
      unit: "s",
      baseline: best("whole", part),
    });
    return [
      seconds("train step with shared prompts against repeated ones", "step"),
      seconds("its passes through the model", "passes"),
      { name: "tokens that are computed", value: tokens.computed, unit: "tokens", baseline: tokens.trained },
      { name: "optimizer step", value: best("shared", "step") - best("shared", "passes"), unit: "s" },
      { name: "sampling of the group's replies", value: await sampling(model, group, options), unit: "s" },
    ];
  } finally {
    await engine.close();
  }
}

async function openEngine(dtype: SharedPromptsOptions["dtype"]): Promise<Engine> {
  const engine = await Engine.create({ device: "cpu", dtype: dtype === "auto" ? "bf16" : dtype });
  if (dtype !== "auto" || multipliesBf16(engine.info())) return engine;
  await engine.close();
  return Engine.create({ device: "cpu", dtype: "f32" });
}

/** A learner whose passes are timed. */
class Clocked {
  private passes = 0;
  private readonly learner: Learner;

  constructor(trainer: Trainer, takesParents: boolean) {
    const clocked: PolicyTrainer = {
      takesParents,
      score: (...request) => trainer.score(...request),
      accumulate: async (...request) => {
        const before = performance.now();
        const statistics = await trainer.accumulate(...request);
        this.passes += performance.now() - before;
        return statistics;
      },
      accumulateGradients: (...request) => trainer.accumulateGradients(...request),
      step: (options) => trainer.step(options),
      save: (path) => trainer.save(path),
      load: (path) => trainer.load(path),
    };
    const settings = AlgorithmSettings.parse({ algorithm: "grpo", ppo_n_minibatches: 1 });
    const learning = { ...resolveSettings(settings), seed: 1, max_tokens_per_mb: packTokens };
    this.learner = new Learner(clocked, createAlgorithm(settings), learning);
  }

  async learn(group: Group): Promise<Times & { report: Awaited<ReturnType<Learner["learn"]>> }> {
    this.passes = 0;
    const before = performance.now();
    // A learning rate of 0 gives all rounds the same weights.
    const report = await this.learner.learn([group], 0, { lr: 0, clipNorm: 1 });
    return { step: (performance.now() - before) / 1_000, passes: this.passes / 1_000, report };
  }
}

function groupOf({ config }: Model, { rollouts, shared, own }: SharedPromptsOptions): Group {
  const token = (at: number, salt: number) => (Math.imul(at + 1 + 977 * salt, 2_654_435_761) >>> 0) % config.vocabSize;
  const trajectories = Array.from({ length: rollouts }, (_, rollout): Trajectory => {
    const tokens = Int32Array.from({ length: shared + own }, (_, at) => token(at, at < shared ? 0 : rollout + 1));
    const isSampled = (at: number) => at >= shared && (at - shared) % (reply + observation) < reply;
    const mask = Uint8Array.from(tokens, (_, at) => Number(isSampled(at)));
    const reward = rollout % 2;
    return {
      episodeId: `${rollout}`,
      group: "0",
      played: { environment: "textcraft@1", split: "train", index: 0, seed: 0 },
      tokens,
      mask,
      logprobs: Float32Array.from(mask, (one) => -one),
      versions: Int32Array.from(mask, (one) => one - 1),
      steps: [{ first: shared, end: shared + reply, action: "", observationHash: "", reward }],
      status: "terminated",
      return: reward,
      solved: reward === 1,
    };
  });
  return { id: "0", trajectories, failed: [] };
}

/** Returns the seconds in which the group's sampled tokens are generated, as one reply of each rollout. */
async function sampling(model: Model, group: Group, { rollouts, shared }: SharedPromptsOptions): Promise<number> {
  const [first] = group.trajectories as [Trajectory];
  const generator = await model.generator({ maxSequences: rollouts, kvBytes: 2 ** 29 });
  const maxNewTokens = first.mask.reduce((sum, one) => sum + one, 0);
  const before = performance.now();
  const sequences = generator.submitGroup({ tokens: first.tokens.slice(0, shared), maxNewTokens, seed: 1 }, rollouts);
  await Promise.all(sequences.map(({ result }) => result));
  const seconds = (performance.now() - before) / 1_000;
  generator.close();
  return seconds;
}
