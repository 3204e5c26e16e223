/**
 * Every setting of a training run, in one flat schema: from a YAML file, then from flags of the same names. Names are
 * those of AReaL and AgentGym-RL where these have the setting.
 */
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { AlgorithmSettings, AlgorithmSettingsError, algorithmFields, resolveSettings } from "./algorithms/index.js";
import { parseDevice } from "./device.js";
import { weightServers } from "./policy/weight-push.js";
import { presets } from "./presets.js";
import { actionFormats } from "./rollout/action-format.js";
import { endpointFields, lacking, unread, withoutGym } from "./rollout-mode.js";
import { parseTaskSet } from "./task-set.js";

const whole = (least: number) => z.int().min(least);
const positive = z.number().positive();
const share = z.number().min(0).max(1);

const taskSets = z.array(z.string().superRefine(checkBy(parseTaskSet)));

const fields = {
  // The run
  output: z.string().min(1).default("runs/default").describe("Folder of checkpoints, models, metrics and report."),
  seed: whole(0).default(1).describe("All that is random follows from it."),
  resume: z
    .boolean()
    .default(true)
    .describe("Go on from the newest checkpoint in the output folder, if there is one; false: put it aside."),
  allow_changed_settings: z
    .boolean()
    .default(false)
    .describe("Go on from a checkpoint although settings that decide what is learnt are others than its own."),
  total_train_steps: whole(0).default(150).describe("Train steps; 0: clone and evaluate only."),
  max_minutes: positive.optional().describe("Ends training so many minutes after its begin, cloning included."),
  metrics_port: whole(0).max(65_535).optional().describe("Answers GET /metrics for Prometheus on it; 0: a free one."),
  save_freq_steps: whole(1).default(25).describe("Train steps between checkpoints."),
  save_keep: whole(0).default(3).describe("Checkpoints that are kept; 0: all."),

  ...endpointFields,

  // What is played
  gym: z.string().optional().describe("URL of a gym, or spawn for one of its own. Default: the local one, else spawn."),
  agentgym: z.string().optional().describe("URL of an AgentGym server in place of a gym."),
  train_tasks: taskSets.default([]).describe("As environment:split[:first-last][*weight]."),
  eval_tasks: taskSets.default([]).describe("Held out: the same form; weights are not used."),
  max_rounds: whole(1).default(10).describe("Replies of an episode."),
  rounds_ctrl: z.array(whole(1)).min(1).optional().describe("ScalingInter's: replies of an episode, stage by stage."),
  steps_scaling_inter: whole(1).default(100).describe("Train steps of a stage."),
  task_mixing: z
    .enum(["fixed", "learnability"])
    .default("fixed")
    .describe(
      "Whether weights are multiplied by what each task set teaches at the moment, p (1 - p) of its successes.",
    ),
  difficulty_filter: z.boolean().default(false).describe("Leave out tasks that are solved nearly always or never."),
  action_format: z
    .enum([...actionFormats.keys()])
    .default("plain")
    .describe("How a reply holds its action."),

  // The model
  model: z
    .string()
    .optional()
    .describe("Folder in Hugging Face's layout, or a GGUF file. Default: a small one of our own."),
  hidden_size: whole(64).default(128).describe("Of the default model."),
  layers: whole(1).default(4).describe("Of the default model."),
  context_length: whole(16).default(1024).describe("Tokens of the longest conversation."),
  lora_rank: whole(0).default(0).describe("Trains low-rank adapters in place of all weights; 0: all weights."),
  lora_alpha: positive.optional().describe("Default: the rank."),
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
      "What the engine multiplies; sums are f32 always. Default: bf16 on a GPU, else f32; auto: bf16 on a processor, too, that multiplies it.",
    ),
  deterministic: z
    .boolean()
    .default(false)
    .describe("On a GPU: equal synchronous runs end with equal weights, as on a CPU; goes without cuBLAS."),
  threads: whole(0).default(0).describe("Of the engine on a CPU; 0: all that the machine has."),
  memory_recompute: z.enum(["none", "layer"]).default("none").describe("Compute activations again to save memory."),

  // Cloning
  clone_episodes: whole(0).default(0).describe("Expert episodes to begin with; 0: none."),
  clone_tasks: taskSets
    .optional()
    .describe("What experts play for it, in the form of train_tasks, which is the default."),
  clone_epochs: whole(1).default(6),
  clone_lr: positive.default(2e-3),
  clone_tokens_per_step: whole(1).default(1024),
  clone_observation_weight: z
    .number()
    .min(0)
    .default(0.5)
    .describe("Of the loss over what environments say; replies: 1."),
  language_episodes: whole(0).default(400).describe("Openings of each task set that the default tokenizer is made of."),

  // Rollout
  policy: z
    .string()
    .default("native")
    .describe("Who samples: native, or openai:URL#model, a vLLM or SGLang server that the weights are pushed to."),
  policy_server: z
    .enum(["auto", ...weightServers])
    .default("auto")
    .describe("What the policy's server is."),
  policy_weights: z
    .string()
    .min(1)
    .optional()
    .describe("Folder that the policy's server loads weights from. Default: weights in the output folder."),
  batch_size: whole(1).default(16).describe("Groups of a train step."),
  max_new_tokens: whole(1).default(24).describe("Of a reply."),
  top_p: positive.max(1).default(1),
  max_concurrent_rollouts: whole(1).default(32).describe("Groups that are played at once."),
  max_head_offpolicyness: whole(0)
    .default(1)
    .describe("Versions that a token may lag behind the weights that learn from it; 0: synchronous."),
  kv_on_update: z
    .enum(["keep", "recompute"])
    .default("keep")
    .describe("What becomes of keys and values of older weights."),
  rollout_retries: whole(0).default(3).describe("After failures of the machinery."),

  // Optimiser
  lr: positive.default(1e-4),
  lr_scheduler_type: z.enum(["constant", "linear", "cosine"]).default("constant"),
  warmup_steps_proportion: share.default(0),
  weight_decay: z.number().min(0).default(0),
  beta1: share.default(0.9),
  beta2: share.default(0.99),
  eps: positive.default(1e-8),
  gradient_clipping: positive.default(1).describe("The most that the gradients' global norm may be."),
  max_tokens_per_mb: whole(16).default(4096).describe("Tokens of one pass through the engine."),
  train_share: positive.default(1).describe("Of the engine's time, where training and generation both have work."),
  generate_share: positive.default(1),

  // Evaluation
  eval_freq_steps: whole(0).default(50).describe("Train steps between evaluations; 0: only before and after."),
  eval_episodes: whole(1).default(50).describe("Of each held-out task set."),
  eval_temperature: z.number().min(0).default(1).describe("0: the likeliest token."),
};

/** To be shown as help, too. */
export const settingFields = { ...fields, ...algorithmFields };

export const TrainSettings = z.strictObject(settingFields).superRefine((settings, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  for (const [path, message] of policyContradictions(settings)) refuse(path, message);
  if (settings.max_tokens_per_mb < settings.context_length) {
    refuse(
      "max_tokens_per_mb",
      `expected at least the context_length ${settings.context_length}, which a trajectory may have`,
    );
  }
  for (const [path, message] of lacking(settings)) refuse(path, message);
  if (settings.rollout === "gym" && settings.model === undefined && settings.clone_episodes === 0) {
    refuse(
      "clone_episodes",
      "expected some, since the default model knows nothing that reinforcement could begin with",
    );
  }
  if (settings.top_p < 1 && !settings.recompute_logprob && !settings.use_decoupled_loss) {
    refuse(
      "top_p",
      "expected recompute_logprob with it: what was sampled from a part of the distribution has other log-probabilities than the policy",
    );
  }
  try {
    resolveSettings(algorithmPart(settings));
  } catch (error) {
    if (!(error instanceof AlgorithmSettingsError)) throw error;
    refuse("algorithm", error.message);
  }
});
export type TrainSettings = z.output<typeof TrainSettings>;

type PolicySettings = Pick<
  z.output<typeof TrainSettings>,
  "policy" | "policy_server" | "policy_weights" | "temperature" | "algorithm"
>;

/** Setting and reason. */
function policyContradictions(settings: PolicySettings): [string, string][] {
  const { policy, policy_server, policy_weights, temperature, algorithm } = settings;
  if (policy === "native") {
    const pushed = "expected none with the native policy, which weights are not pushed to";
    return [
      ...(policy_server === "auto" ? [] : [["policy_server", pushed] as [string, string]]),
      ...(policy_weights === undefined ? [] : [["policy_weights", pushed] as [string, string]]),
    ];
  }
  const reasons: [string, string][] = [];
  if (!/^openai:https?:\/\/.+#.+$/s.test(policy)) {
    reasons.push(["policy", `expected native or openai:URL#model, but received ${JSON.stringify(policy)}`]);
  }
  if (temperature !== 1) {
    const message =
      "expected 1 with a policy server: whether its log-probabilities are those at the temperature is its own affair";
    reasons.push(["temperature", message]);
  }
  if (algorithm === "ppo") {
    const message = "expected one without a critic with a policy server, which knows no value head among the weights";
    reasons.push(["algorithm", message]);
  }
  return reasons;
}

/** Settings that cannot be used. The message names each. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export interface SettingsSources {
  /** By name. Default: `cpu`. */
  readonly preset?: string | undefined;
  /** Path of a YAML file. */
  readonly file?: string | undefined;
  /** As text, the way a command line has them. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Preset, file and flags; the later ones win. @throws {SettingsError} */
export async function loadSettings({ preset = "cpu", file, flags }: SettingsSources): Promise<TrainSettings> {
  const base = presets[preset];
  if (!base) throw new SettingsError(`expected a preset of ${Object.keys(presets).join(", ")}, but received ${preset}`);
  const fromFile = file === undefined ? {} : await readYaml(file);
  const fromFlags = Object.fromEntries(Object.entries(flags).map(([name, text]) => [name, parsedFlag(name, text)]));
  const own: Record<string, unknown> = { ...fromFile, ...fromFlags };
  const rest = (own.rollout ?? base.rollout) === "endpoint" ? withoutGym(base) : base;
  return checkSettings({ ...rest, ...own });
}

/** @throws {SettingsError} */
export function checkSettings(given: Readonly<Record<string, unknown>>): TrainSettings {
  const { success, data, error } = TrainSettings.safeParse(given);
  const issues = error?.issues ?? [];
  const reasons = issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  reasons.push(...unread(given, settingFields));
  if (success && reasons.length === 0) return data;
  throw new SettingsError(`expected settings that can be used, but received:\n  ${reasons.join("\n  ")}`);
}

/** As they may be written down. */
export function withoutSecrets({ endpoint_api_key, ...settings }: TrainSettings): TrainSettings {
  return endpoint_api_key === undefined ? settings : { ...settings, endpoint_api_key: "(not shown)" };
}

/** The part that algorithms are made of. */
export function algorithmPart(settings: Readonly<Record<string, unknown>>): AlgorithmSettings {
  const part = Object.keys(algorithmFields).map((name) => [name, settings[name]]);
  return AlgorithmSettings.parse(Object.fromEntries(part.filter(([, value]) => value !== undefined)));
}

/** Sequences that the generator decodes side by side. */
export function sequencesOf(settings: TrainSettings): number {
  const { n_samples } = resolveSettings(algorithmPart(settings));
  return Math.min(256, settings.max_concurrent_rollouts * n_samples);
}

async function readYaml(path: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new SettingsError(`expected settings as YAML in ${path}, but received: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new SettingsError(`expected a mapping of settings in ${path}, but received ${JSON.stringify(value)}`);
}

/** A flag as YAML has it: `0.1`, `true`, `a, b` as a list where the setting is one. */
function parsedFlag(name: string, text: string): unknown {
  const field = settingFields[name as keyof typeof settingFields] as z.ZodType | undefined;
  const inner = field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
  if (inner instanceof z.ZodArray) return text.split(",").map((part) => parse(part) as unknown);
  const isText = field?.safeParse(text).success;
  return isText ? text : parse(text);
}

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
