/** Two train steps with every algorithm, and with every setting that changes the path through a run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Engine } from "#palestra/native/api/index.js";
import { type AlgorithmName, algorithmNames } from "#palestra/trainer/algorithms/index.js";
import { AgentgymClient } from "#palestra/trainer/gym/agentgym-client.js";
import type { GymClient } from "#palestra/trainer/gym/gym.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();
/** The starting model of each run here, cloned once. */
let model: string;

beforeAll(async () => {
  const settings = tinySettings(join(file.folder, "beginning"), {
    total_train_steps: 0,
    clone_episodes: 60,
    clone_epochs: 40,
  });
  ({ model } = await train(settings, file.gym, new Notes(), new AbortController().signal));
});

let runs = 0;
const settingsOf = (changes: Partial<TrainSettings> = {}) =>
  tinySettings(join(file.folder, `run-${runs++}`), { model, clone_episodes: 0, total_train_steps: 2, ...changes });

async function run(settings: TrainSettings, client: GymClient = file.gym, notes = new Notes()) {
  const result = await train(settings, client, notes, new AbortController().signal);
  return { notes, result, weights: weightsIn(result.model) };
}

const weightsIn = (folder: string) => readFileSync(join(folder, "model.safetensors"));

/** Settings that an algorithm requires beside its name. */
const own: Partial<Record<AlgorithmName, Partial<TrainSettings>>> = {
  "dr-grpo": { max_completion_length: 48 },
  dapo: { max_completion_length: 48, overlong_tokens: 8 },
  sft: { n_samples: 1 },
  // The model before cloning, which is far from the policy.
  "on-policy-distillation": { teacher: `native:${join(file.folder, "beginning", "initial")}` },
};

describe("every algorithm learns", () => {
  test.each(algorithmNames)("by %s", async (algorithm) => {
    const { notes, result, weights } = await run(settingsOf({ algorithm, ...own[algorithm] }));
    expect(result).toMatchObject({ trainSteps: 2, end: "done" });
    expect(weights.equals(weightsIn(model))).toBe(false);
    for (const { loss, gradientNorm, notFinite, optimiserSteps } of notes.steps) {
      expect([Number.isFinite(loss), Number.isFinite(gradientNorm), notFinite]).toEqual([true, true, 0]);
      expect(optimiserSteps).toBeGreaterThan(0);
    }
  });
});

test("cloning can use other tasks than training", async () => {
  const tasks = { clone_tasks: ["textcraft:all:0-3"], train_tasks: ["babyai:GoToRedBallNoDists:1000-1999"] };
  const cloning = { model: undefined, clone_episodes: 60, clone_epochs: 40, eval_episodes: 24 };
  const { notes } = await run(settingsOf({ ...tasks, ...cloning, total_train_steps: 1 }));
  // A model that has seen none of the recipes crafts nothing.
  expect(notes.evaluations[0]?.scores[0]?.success).toBeGreaterThan(0);
  const trained = notes.steps[0]?.groups.flatMap(({ trajectories }) => trajectories) ?? [];
  expect(new Set(trained.map(({ played }) => played.environment))).toEqual(new Set(["babyai@1"]));
});

describe("a run", () => {
  test.each<[string, Partial<TrainSettings>]>([
    ["with PPO's critic, scored in whole batches", { algorithm: "ppo", n_samples: 4, gamma: 0.99, lam: 0.95 }],
    ["with a separate critic", { algorithm: "ppo", critic: "separate", critic_lr: 5e-3 }],
    ["with a separate critic of adapters", { algorithm: "ppo", critic: "separate", lora_rank: 4 }],
    ["with a KL term to a reference", { kl_ctl: 0.1 }],
    ["with KL in the reward", { algorithm: "ppo", kl_ctl: 0.1 }],
    ["with an entropy term", { entropy_coef: 0.01 }],
    ["with an entropy term of a loss that the engine does not know", { algorithm: "gspo", entropy_coef: 0.01 }],
    ["with log-probabilities computed again", { recompute_logprob: true, max_head_offpolicyness: 0 }],
    ["with the decoupled loss", { use_decoupled_loss: true, behav_imp_weight_mode: "mask", max_head_offpolicyness: 2 }],
    ["with several passes over a batch", { update_epochs: 2 }],
    ["whose keys are computed again at each update", { kv_on_update: "recompute", max_head_offpolicyness: 2 }],
    ["with a difficulty filter", { difficulty_filter: true, total_train_steps: 4 }],
    ["with rounds by stages", { rounds_ctrl: [1, 2, 3], steps_scaling_inter: 1, total_train_steps: 3 }],
    ["in bfloat16", { dtype: "bf16" }],
    ["that keeps no activations", { memory_recompute: "layer" }],
    ["whose learning rate falls", { lr_scheduler_type: "cosine", warmup_steps_proportion: 0.5 }],
    ["by the likeliest tokens alone", { top_p: 0.9, recompute_logprob: true, max_head_offpolicyness: 0 }],
  ])("%s ends with other weights", async (_, changes) => {
    const { notes, weights } = await run(settingsOf({ ...changes }));
    expect(weights.equals(weightsIn(model))).toBe(false);
    expect(notes.steps.every(({ gradientNorm, loss }) => Number.isFinite(gradientNorm) && Number.isFinite(loss))).toBe(
      true,
    );
    expect(notes.evaluations.length).toBe(2);
  });

  test("caps rounds by its stages", async () => {
    const { notes } = await run(
      settingsOf({ rounds_ctrl: [1, 3], steps_scaling_inter: 1, max_head_offpolicyness: 0, total_train_steps: 2 }),
    );
    const longest = notes.steps.map(({ groups }) =>
      Math.max(...groups.flatMap(({ trajectories }) => trajectories.map(({ steps }) => steps.length))),
    );
    expect(longest[0]).toBe(1);
    expect(longest[1]).toBeGreaterThan(1);
  });

  test("that filters groups and tasks in synchronous mode ends with equal weights, whichever rollout was faster", async () => {
    const filtered = { algorithm: "dapo", difficulty_filter: true, max_head_offpolicyness: 0 } as const;
    const changes = { ...filtered, total_train_steps: 3, train_tasks: ["textcraft:all:0-9"] };
    const [one, other] = [await run(settingsOf(changes)), await run(settingsOf(changes))];
    expect(one.notes.steps.flatMap(({ leftOut }) => leftOut).length).toBeGreaterThan(0);
    expect(one.weights.equals(other.weights)).toBe(true);
  });

  test("of several environments plays each by its weight", async () => {
    const train_tasks = ["textcraft:all:0-3*2", "babyai:GoToRedBallNoDists:0-99"];
    const { notes } = await run(settingsOf({ train_tasks, eval_tasks: train_tasks }));
    const played = notes.steps.flatMap(({ groups }) =>
      groups.map(({ trajectories }) => trajectories[0]?.played.environment.replace(/@.*/, "")),
    );
    expect(played.sort()).toEqual(["babyai", "babyai", "textcraft", "textcraft", "textcraft", "textcraft"]);
    expect(notes.evaluations[0]?.scores.map(({ episodes }) => episodes)).toEqual([5, 5]);
  });

  test("on an AgentGym server learns from the replies of that server", async () => {
    const client = new AgentgymClient(`${file.server.url}/agentgym/textcraft`);
    const tasks = ["textcraft:agentgym:0-3"];
    const settings = settingsOf({
      train_tasks: tasks,
      eval_tasks: tasks,
      action_format: "agentgym",
      context_length: 1024,
    });
    const { notes, result } = await run({ ...settings, max_tokens_per_mb: 2048 }, client);
    await client.close();
    expect(result.trainSteps).toBe(2);
    expect(notes.evaluations[0]?.scores).toMatchObject([{ episodes: 5, failed: 0 }]);
  });
});

describe("low-rank adapters", () => {
  test("are trained instead of the weights, resume bit for bit, and are merged into the final model", async () => {
    const lora = { lora_rank: 4, lora_alpha: 8, max_head_offpolicyness: 0, total_train_steps: 4 };
    const undisturbed = await run(settingsOf(lora));
    const settings = settingsOf(lora);
    const first = await run({ ...settings, total_train_steps: 2 });
    const { notes, result, weights } = await run(settings);
    expect(notes.steps.map(({ trainStep }) => trainStep)).toEqual([3, 4]);
    expect(weights.equals(undisturbed.weights)).toBe(true);
    expect(weights.equals(first.weights)).toBe(false);
    const engine = await Engine.create({ threads: 1 });
    const [loaded, before] = [await engine.loadModel(result.model), await engine.loadModel(model)];
    expect(await loaded.parameter("model.norm.weight")).toEqual(await before.parameter("model.norm.weight"));
    const projection = "model.layers.0.self_attn.q_proj.weight";
    expect(await loaded.parameter(projection)).not.toEqual(await before.parameter(projection));
    await engine.close();
  });

  test("are cloned into the starting model", async () => {
    const settings = settingsOf({ lora_rank: 4, clone_episodes: 20, clone_epochs: 2, total_train_steps: 1 });
    const { notes, result } = await run(settings);
    expect(notes.cloningLosses.length).toBeGreaterThan(0);
    expect(weightsIn(join(settings.output, "cloned")).equals(weightsIn(model))).toBe(false);
    expect(weightsIn(result.model).equals(weightsIn(join(settings.output, "cloned")))).toBe(false);
  });
});
