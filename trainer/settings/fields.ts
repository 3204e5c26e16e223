/**
 * Every setting of a training run but its checks: name, type, default and description, in the groups of the help. Names
 * are those of AReaL and AgentGym-RL where these have the setting.
 */
import { z } from "zod";
import { actionFormats } from "../actions/action-formats.js";
import { algorithmFields } from "../algorithms/index.js";
import { parseTaskSet } from "../gym/task-set.js";
import { weightServers } from "../policy/weight-push.js";
import { parseDevice } from "./device.js";
import { endpointFields } from "./rollout-mode.js";

const whole = (least: number) => z.int().min(least);
const positive = z.number().positive();
const share = z.number().min(0).max(1);

const taskSets = z.array(z.string().superRefine(checkBy(parseTaskSet)));

const runFields = {
  output: z.string().min(1).default("runs/default").describe("Folder of checkpoints, models, metrics and report."),
  seed: whole(0).default(1).describe("Seed of every random choice of the run."),
  resume: z
    .boolean()
    .default(true)
    .describe("Go on from the newest checkpoint in the output folder, if there is one; false: put it aside."),
  allow_changed_settings: z
    .boolean()
    .default(false)
    .describe("Go on from a checkpoint although settings that decide what is learnt differ from its own."),
  total_train_steps: whole(0).default(150).describe("Train steps; 0: clone and evaluate only."),
  max_minutes: positive.optional().describe("Minutes after which training ends, cloning included."),
  metrics_port: whole(0)
    .max(65_535)
    .optional()
    .describe("Port that answers GET /metrics for Prometheus; 0: a free one. Default: none."),
  save_freq_steps: whole(1).default(25).describe("Train steps between checkpoints."),
  save_keep: whole(0).default(3).describe("Checkpoints that are kept; 0: all."),
};

const gymFields = {
  gym: z
    .string()
    .optional()
    .describe("URL of a gym, or spawn for one of its own. Default: the local gym where one runs, else spawn."),
  agentgym: z.string().optional().describe("URL of an AgentGym server to play on in place of a gym. Default: none."),
  train_tasks: taskSets
    .default([])
    .describe("Tasks to train on, as environment:split[:first-last][*weight], separated by commas."),
  eval_tasks: taskSets
    .default([])
    .describe("Held-out tasks, in the same form; weights are not used. They are evaluated, never trained on."),
  max_rounds: whole(1).default(10).describe("Most replies of an episode."),
  rounds_ctrl: z
    .array(whole(1))
    .min(1)
    .optional()
    .describe("ScalingInter: most replies of an episode, stage by stage, as in 10,20,30. Default: max_rounds always."),
  steps_scaling_inter: whole(1).default(100).describe("Train steps of a stage of rounds_ctrl."),
  task_mixing: z
    .enum(["fixed", "learnability"])
    .default("fixed")
    .describe("learnability: weights are multiplied by p (1 - p), where p is the task set's share of successes."),
  difficulty_filter: z.boolean().default(false).describe("Leave out tasks that are solved nearly always or never."),
  action_format: z
    .enum([...actionFormats.keys()])
    .default("plain")
    .describe("How a reply holds its action."),
};

const modelFields = {
  model: z
    .string()
    .optional()
    .describe("Folder in Hugging Face's layout, or a GGUF file. Default: a small model that the run makes."),
  hidden_size: whole(64).default(128).describe("Width of the small model."),
  layers: whole(1).default(4).describe("Layers of the small model."),
  context_length: whole(16).default(1024).describe("Tokens of the longest conversation."),
  lora_rank: whole(0)
    .default(0)
    .describe("Rank of low-rank adapters, trained in place of all weights; 0: all weights."),
  lora_alpha: positive.optional().describe("Scale of the adapters, divided by their rank. Default: the rank."),
  device: z
    .string()
    .superRefine(checkBy(parseDevice))
    .default("auto")
    .describe(
      "Where the engine computes: cpu, cuda:0, cuda:1 and so on; auto: the first GPU that can be used, else cpu.",
    ),
  dtype: z
    .enum(["auto", "f32", "bf16"])
    .optional()
    .describe(
      "What the engine multiplies; sums are f32 always. auto: bf16 on a GPU or a processor that multiplies it, else f32; unset: bf16 on a GPU, else f32.",
    ),
  deterministic: z
    .boolean()
    .default(false)
    .describe("On a GPU: equal synchronous runs end with equal weights, as on a CPU; goes without cuBLAS."),
  threads: whole(0).default(0).describe("Threads of the engine on a CPU; 0: all that the machine has."),
  memory_recompute: z
    .enum(["none", "layer"])
    .default("none")
    .describe("layer: compute the activations of a layer again in the backward pass, to save memory."),
};

const cloningFields = {
  clone_episodes: whole(0).default(0).describe("Expert episodes that the model is cloned on first; 0: none."),
  clone_tasks: taskSets
    .optional()
    .describe("Tasks that experts play for cloning, in the form of train_tasks. Default: train_tasks."),
  clone_epochs: whole(1).default(6).describe("Passes over the expert episodes."),
  clone_lr: positive.default(2e-3).describe("Highest learning rate of cloning."),
  clone_tokens_per_step: whole(1).default(1024).describe("Tokens of an optimiser step of cloning."),
  clone_observation_weight: z
    .number()
    .min(0)
    .default(0.5)
    .describe("Weight of the loss over observations; that of replies is 1."),
  clone_weight_decay: z.number().min(0).optional().describe("Weight decay of cloning; unset: weight_decay."),
  language_episodes: whole(0)
    .default(400)
    .describe("First observations of each task set that the small model's tokenizer is made from."),
};

const rolloutFields = {
  policy: z
    .string()
    .default("native")
    .describe("Who samples: native, or openai:URL#model, a vLLM or SGLang server that the weights are pushed to."),
  policy_server: z
    .enum(["auto", ...weightServers])
    .default("auto")
    .describe("Kind of the policy's server; auto: as it says itself."),
  policy_weights: z
    .string()
    .min(1)
    .optional()
    .describe("Folder that the policy's server loads weights from. Default: weights in the output folder."),
  batch_size: whole(1).default(16).describe("Groups of a train step."),
  max_new_tokens: whole(1).default(24).describe("Most tokens of a reply."),
  top_p: positive.max(1).default(1).describe("Nucleus sampling: share of the probability that is sampled from."),
  max_concurrent_rollouts: whole(1).default(32).describe("Groups that are played at once."),
  max_head_offpolicyness: whole(0)
    .default(1)
    .describe("Versions that a token may lag behind the weights that learn from it; 0: synchronous."),
  kv_on_update: z
    .enum(["keep", "recompute"])
    .default("keep")
    .describe("Treatment of keys and values of older weights after an update."),
  rollout_retries: whole(0).default(3).describe("Retries of an episode after a failure of the machinery."),
};

const optimiserFields = {
  lr: positive.default(1e-4).describe("Highest learning rate of reinforcement learning."),
  lr_scheduler_type: z
    .enum(["constant", "linear", "cosine"])
    .default("constant")
    .describe("Course of the learning rate after the warm-up; linear and cosine end at 0."),
  warmup_steps_proportion: share.default(0).describe("Share of the train steps in which the learning rate rises."),
  weight_decay: z.number().min(0).default(0).describe("AdamW's weight decay."),
  beta1: share.default(0.9).describe("AdamW's decay of the first moment."),
  beta2: share.default(0.99).describe("AdamW's decay of the second moment."),
  eps: positive.default(1e-8).describe("AdamW's epsilon."),
  gradient_clipping: positive.default(1).describe("Most that the gradients' global norm may be."),
  max_tokens_per_mb: whole(16).default(4096).describe("Tokens of one pass through the engine."),
  train_share: positive
    .default(1)
    .describe("Training's part of the engine's time, beside generate_share, where both have work."),
  generate_share: positive.default(1).describe("Generation's part of the engine's time."),
};

const evaluationFields = {
  eval_freq_steps: whole(0).default(50).describe("Train steps between evaluations; 0: only before and after."),
  eval_episodes: whole(1).default(50).describe("Episodes of each held-out task set."),
  eval_temperature: z.number().min(0).default(1).describe("Temperature of evaluations; 0: the likeliest token."),
};

/** Those of the settings' schema. */
export const settingFields = {
  ...runFields,
  ...endpointFields,
  ...gymFields,
  ...modelFields,
  ...cloningFields,
  ...rolloutFields,
  ...optimiserFields,
  ...evaluationFields,
  ...algorithmFields,
};

export type SettingName = keyof typeof settingFields;

/** Names by heading, in the order of the help. */
export const settingGroups = new Map<string, readonly SettingName[]>(
  Object.entries({
    Run: runFields,
    "Gym and tasks": gymFields,
    "Model and engine": modelFields,
    Cloning: cloningFields,
    Rollouts: rolloutFields,
    Algorithm: algorithmFields,
    Optimiser: optimiserFields,
    Evaluation: evaluationFields,
    "Rollout endpoint": endpointFields,
  }).map(([heading, fields]) => [heading, Object.keys(fields) as SettingName[]]),
);

/** What it throws is what the setting is refused with. */
function checkBy(parse: (text: string) => unknown): (text: string, context: z.RefinementCtx<string>) => void {
  return (text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  };
}
