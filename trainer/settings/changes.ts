/**
 * What may change between a run and its resumption. A setting that decides what is learnt may not: half of the run would
 * be of one kind and half of another, and its figures nobody's. One that only decides how, where or how long may.
 */

import { isDeepStrictEqual } from "node:util";
import { TrainerError } from "../errors.js";
import { settingFields } from "./fields.js";
import { type TrainSettings, withoutSecrets } from "./settings.js";

type Name = keyof TrainSettings;

/** Any time: what is learnt in a train step does not depend on them, or not on purpose. */
const free: ReadonlySet<string> = new Set<Name>([
  ...(["output", "resume", "allow_changed_settings", "total_train_steps", "max_minutes", "metrics_port"] as const),
  ...(["save_freq_steps", "save_keep", "gym", "agentgym", "device", "deterministic", "threads"] as const),
  ...(["memory_recompute"] as const),
  ...(["policy_server", "policy_weights"] as const),
  ...(["endpoint_host", "endpoint_port", "endpoint_api_key", "endpoint_lease_s", "endpoint_wait_s"] as const),
  ...(["max_concurrent_rollouts", "rollout_retries", "train_share", "generate_share", "max_tokens_per_mb"] as const),
  ...(["eval_tasks", "eval_freq_steps", "eval_episodes", "eval_temperature"] as const),
]);

/** Never: a checkpoint does not fit another model, and the curriculum's state not another list of tasks. */
const fixed: ReadonlySet<string> = new Set<Name>([
  ...(["model", "hidden_size", "layers", "lora_rank", "train_tasks", "difficulty_filter"] as const),
]);

/** Cloning's, and reinforcement learning's, too: a run that may go on with other values need not be cloned anew. */
const ofBoth: readonly Name[] = ["beta1", "beta2", "eps", "weight_decay", "gradient_clipping"];

/** What the model that reinforcement learning begins with is made by. */
const ofStartingModel: readonly Name[] = [
  ...(["seed", "train_tasks", "max_rounds", "action_format"] as const),
  ...(["model", "hidden_size", "layers", "context_length", "lora_rank", "lora_alpha", "dtype"] as const),
  ...([
    "clone_episodes",
    "clone_tasks",
    "clone_epochs",
    "clone_lr",
    "clone_tokens_per_step",
    "clone_observation_weight",
    "clone_weight_decay",
  ] as const),
  ...ofBoth,
  "language_episodes",
];

/** Every setting as JSON: null where it is unset, so that a setting of a later version can be told from that. */
export type RecordedSettings = Readonly<Record<string, unknown>>;

export function recordedSettings(settings: TrainSettings): RecordedSettings {
  const shown = withoutSecrets(settings);
  const values = Object.keys(settingFields).map((name) => [name, shown[name as Name] ?? null]);
  return JSON.parse(JSON.stringify(Object.fromEntries(values))) as RecordedSettings;
}

/** Those that `startingModel` reads. */
export function startingSettings(settings: TrainSettings): RecordedSettings {
  const all = recordedSettings(settings);
  return Object.fromEntries(ofStartingModel.map((name) => [name, all[name]]));
}

/**
 * @param before as the checkpoint has them
 * @throws {TrainerError} naming each that may not differ
 */
export function expectResumable(before: RecordedSettings, settings: TrainSettings): void {
  const changed = changesOf(before, settings).filter(({ name }) => !free.has(name));
  const refused = settings.allow_changed_settings ? changed.filter(({ name }) => fixed.has(name)) : changed;
  if (refused.length === 0) return;
  const ways = [
    "take the old values",
    "begin anew with resume false",
    "choose another output",
    ...(refused.some(({ name }) => fixed.has(name))
      ? []
      : ["say allow_changed_settings true to go on with the new ones"]),
  ];
  throw new TrainerError(
    "SETTINGS_CHANGED",
    `expected to go on in ${settings.output} with the settings of its checkpoint, but received others:` +
      `\n  ${refused.map(({ text }) => text).join("\n  ")}\nEither ${ways.join(", or ")}.`,
  );
}

/** @param before as they were when the model in the folder was made @throws {TrainerError} */
export function expectSameStartingModel(folder: string, before: RecordedSettings, settings: TrainSettings): void {
  const mayDiffer: readonly string[] = settings.allow_changed_settings ? ofBoth : [];
  const changed = changesOf(before, settings).filter(({ name }) => !mayDiffer.includes(name));
  if (changed.length === 0) return;
  throw new TrainerError(
    "SETTINGS_CHANGED",
    `expected the settings that ${folder} was made with, but received others:` +
      `\n  ${changed.map(({ text }) => text).join("\n  ")}\nEither take the old values, or choose another output, or remove that folder.`,
  );
}

function changesOf(before: RecordedSettings, settings: TrainSettings): { name: string; text: string }[] {
  const now = recordedSettings(settings);
  // What one of the two versions does not know cannot have been changed.
  return Object.keys(before)
    .filter((name) => name in now && !isDeepStrictEqual(before[name], now[name]))
    .map((name) => ({ name, text: `${name}: ${shown(before[name])} before, ${shown(now[name])} now` }));
}

function shown(value: unknown): string {
  return value === null ? "unset" : JSON.stringify(value);
}
