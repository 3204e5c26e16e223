/**
 * The settings of a training run: one flat schema, whose values come from a preset, a YAML file and flags with the same
 * names.
 */

import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { textWithoutSecrets } from "../../server/formats/secrets.js";
import { AlgorithmSettings, algorithmFields, resolveSettings } from "../algorithms/index.js";
import { TrainerError } from "../errors.js";
import { withoutEngine } from "./backend-mode.js";
import { settingFields } from "./fields.js";
import { aboutUnknownSetting, withCurrentNames } from "./foreign-names.js";
import { partnerContradictions } from "./partner.js";
import { defaultPreset, presets } from "./presets.js";
import { lacking, unread, withoutGym } from "./rollout-mode.js";
import { teacherContradictions } from "./teacher.js";

export const TrainSettings = z.strictObject(settingFields).superRefine((settings, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  for (const [path, message] of policyContradictions(settings)) refuse(path, message);
  for (const [path, message] of teacherContradictions(settings)) refuse(path, message);
  for (const [path, message] of partnerContradictions(settings)) refuse(path, message);
  if (settings.backend === "engine" && settings.max_tokens_per_mb < settings.context_length) {
    refuse(
      "max_tokens_per_mb",
      `expected at least the context_length ${settings.context_length}, the maximum length of a row`,
    );
  }
  for (const [path, message] of lacking(settings)) refuse(path, message);
  if (settings.prompt_examples > 0 && settings.model === undefined) {
    refuse(
      "prompt_examples",
      `expected 0 without a model, since the small model reads observations and no instructions, but received ${settings.prompt_examples}. Set model to a pretrained model.`,
    );
  }
  for (const name of ["lora_targets", "lora_dropout"] as const) {
    if (settings.lora_rank > 0 || !settings[name]) continue;
    refuse(name, "expected a lora_rank above 0, since without one there are no adapters");
  }
  if (settings.top_p < 1 && !settings.recompute_logprob && !settings.use_decoupled_loss) {
    refuse(
      "top_p",
      "expected recompute_logprob true (with max_head_offpolicyness 0) or use_decoupled_loss true, with a top_p below 1, since the log-probabilities of filtered sampling differ from those of the policy",
    );
  }
  if (settings.recompute_logprob && !settings.use_decoupled_loss && settings.max_head_offpolicyness > 0) {
    refuse(
      "recompute_logprob",
      `expected use_decoupled_loss true, or max_head_offpolicyness 0, with recompute_logprob true: the ratio is then to the policy at the start of the update, and the tokens of older policies would be learned from without a correction; but received max_head_offpolicyness ${settings.max_head_offpolicyness}`,
    );
  }
  try {
    resolveSettings(algorithmPart(settings));
  } catch (error) {
    if (!(error instanceof TrainerError)) throw error;
    refuse("algorithm", error.message);
  }
});
export type TrainSettings = z.output<typeof TrainSettings>;

/** Returns whether a run clones expert episodes or dialogues before it learns from rewards. */
export function isCloning({ clone_episodes, clone_dialogues }: CloningSources): boolean {
  return clone_episodes > 0 || clone_dialogues !== undefined;
}

interface CloningSources {
  readonly clone_episodes: number;
  readonly clone_dialogues?: readonly string[] | undefined;
}

type PolicySettings = Pick<
  z.output<typeof TrainSettings>,
  "policy" | "policy_server" | "policy_weights" | "temperature" | "algorithm" | "critic"
>;

/** Finds settings that contradict the policy. @returns names, each with an error message */
function policyContradictions(settings: PolicySettings): [string, string][] {
  const { policy, policy_server, policy_weights, temperature, algorithm, critic } = settings;
  if (policy === "native") {
    const pushed = "expected no value with the native policy, which needs no pushed weights";
    return [
      ...(policy_server === "auto" ? [] : [["policy_server", pushed] as [string, string]]),
      ...(policy_weights === undefined ? [] : [["policy_weights", pushed] as [string, string]]),
    ];
  }
  const reasons: [string, string][] = [];
  if (!/^openai:https?:\/\/.+#.+$/s.test(policy)) {
    const received = `${JSON.stringify(policy)}${didYouMean(policy.replace(/:.*/s, ""), ["native", "openai"])}`;
    reasons.push(["policy", `expected native or openai:URL#model, but received ${received}`]);
  }
  if (temperature !== 1) {
    const message =
      "expected 1 with a policy server, since only some servers include the temperature in log-probabilities";
    reasons.push(["temperature", message]);
  }
  if (algorithm === "ppo" && critic !== "separate") {
    const message =
      "expected critic separate, or an algorithm without a critic, since a policy server cannot load a value head, but received ppo";
    reasons.push(["algorithm", message]);
  }
  return reasons;
}

export interface SettingsSources {
  /** Name of a preset. Default: `defaultPreset`. */
  readonly preset?: string | undefined;
  /** Path of a YAML file with settings. */
  readonly file?: string | undefined;
  /** Values of flags as text, by the name of the setting. */
  readonly flags: Readonly<Record<string, string>>;
  /** Values by the name of the setting, which override the file and the flags. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Receives a line for each setting that is given with an earlier name. */
  readonly warn?: (line: string) => void;
}

/**
 * Loads settings from a preset, a file and flags; later sources override earlier ones.
 *
 * @throws {TrainerError} SETTINGS_INVALID, with every invalid setting
 */
export async function loadSettings(sources: SettingsSources): Promise<TrainSettings> {
  const { preset = defaultPreset, file, flags, values = {}, warn = () => {} } = sources;
  const base = presets[preset];
  if (!base) {
    const known = Object.keys(presets);
    const received = `${preset}${didYouMean(preset, known)}`;
    throw new TrainerError("SETTINGS_INVALID", `expected a preset of ${known.join(", ")}, but received ${received}`);
  }
  const fromFile = file === undefined ? {} : withCurrentNames(await readYaml(file), warn);
  const named = Object.entries(withCurrentNames(flags, warn) as Record<string, string>);
  const fromFlags = Object.fromEntries(named.map(([name, text]) => [name, parsedFlag(name, text)]));
  const own: Record<string, unknown> = { ...fromFile, ...fromFlags, ...withCurrentNames(values, warn) };
  const ofMode = (own.rollout ?? base.rollout) === "endpoint" ? withoutGym(base) : base;
  const rest = (own.backend ?? "engine") === "engine" ? ofMode : withoutEngine(ofMode);
  return checkSettings({ ...withoutOtherTasks(rest, own), ...own });
}

/** Leaves out a preset's tasks for cloning if the run has own tasks to train on, which are then cloned. */
function withoutOtherTasks(
  preset: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (own.train_tasks === undefined) return preset;
  const { clone_tasks: _, ...rest } = preset;
  return rest;
}

/**
 * Checks settings and fills in defaults.
 *
 * @throws {TrainerError} SETTINGS_INVALID, with every invalid setting
 */
export function checkSettings(given: Readonly<Record<string, unknown>>): TrainSettings {
  const { success, data, error } = TrainSettings.safeParse(given);
  const unreadSettings = unread(given);
  const isRead = ({ path }: z.core.$ZodIssue) => !unreadSettings.some(([name]) => name === path[0]);
  const reasons = [
    ...(error?.issues ?? []).filter(isRead).flatMap((issue) => reasonsOf(issue, given)),
    ...unreadSettings.map(([name, reason]) => `${name}: ${reason}`),
  ];
  if (success && reasons.length === 0) return data;
  throw new TrainerError("SETTINGS_INVALID", `expected valid settings, but received:\n  ${reasons.join("\n  ")}`);
}

/** Describes an issue of the schema, one line for each setting, with a remedy if one is known. */
function reasonsOf(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map(aboutUnknownSetting);
  const name = issue.path.join(".");
  if (issue.code !== "invalid_value") return [[name, issue.message].filter(Boolean).join(": ")];
  const value = issue.path.reduce<unknown>((whole, key) => (whole as Record<PropertyKey, unknown>)?.[key], given);
  const suggestion = typeof value === "string" ? didYouMean(value, issue.values.map(String)) : "";
  return [`${name}: expected one of ${issue.values.join(", ")}, but received ${JSON.stringify(value)}${suggestion}`];
}

/** Returns the settings without secrets, for checkpoints and reports: keys, and tokens and passwords in URLs. */
export function withoutSecrets({ endpoint_api_key, ...settings }: TrainSettings): TrainSettings {
  const entries = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === "string" ? textWithoutSecrets(value) : value,
  ]);
  const shown = Object.fromEntries(entries) as TrainSettings;
  return endpoint_api_key === undefined ? shown : { ...shown, endpoint_api_key: "(not shown)" };
}

/** Selects the settings of the algorithm. */
export function algorithmPart(settings: Readonly<Record<string, unknown>>): AlgorithmSettings {
  const part = Object.keys(algorithmFields).map((name) => [name, settings[name]]);
  return AlgorithmSettings.parse(Object.fromEntries(part.filter(([, value]) => value !== undefined)));
}

/** Returns the number of sequences that the generator decodes at the same time. */
export function sequencesOf(settings: TrainSettings): number {
  const { n_samples } = resolveSettings(algorithmPart(settings));
  return Math.min(256, settings.max_concurrent_groups * n_samples);
}

async function readYaml(path: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new TrainerError(
      "SETTINGS_INVALID",
      `expected settings as YAML in ${path}, but received: ${(error as Error).message}`,
    );
  }
  if (isMapping(value)) return flattened(value);
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected a mapping of settings in ${path}, but received ${JSON.stringify(value)}`,
  );
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Flattens nested settings to names with dots. Our settings are flat; nested settings of other trainers are reported by
 * their dotted names.
 */
function flattened(mapping: Readonly<Record<string, unknown>>, prefix = ""): Record<string, unknown> {
  const entries = Object.entries(mapping).map(([name, value]) =>
    isMapping(value) && Object.keys(value).length > 0
      ? flattened(value, `${prefix}${name}.`)
      : { [`${prefix}${name}`]: value },
  );
  return Object.assign({}, ...entries) as Record<string, unknown>;
}

/** Parses the text of a flag as YAML: `0.1`, `true`; `a, b` is a list if the setting is a list. */
function parsedFlag(name: string, text: string): unknown {
  const field = settingFields[name as keyof typeof settingFields] as z.ZodType | undefined;
  const inner = field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
  if (inner instanceof z.ZodArray) return text.split(",").map((part) => parse(part) as unknown);
  const isText = field?.safeParse(text).success;
  return isText ? text : parse(text);
}
