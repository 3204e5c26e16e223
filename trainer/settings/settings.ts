/** The settings of a training run, in one flat schema: from a preset, a YAML file, then flags of the same names. */

import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { AlgorithmSettings, algorithmFields, resolveSettings } from "../algorithms/index.js";
import { didYouMean } from "../did-you-mean.js";
import { TrainerError } from "../errors.js";
import { settingFields } from "./fields.js";
import { aboutUnknownSetting } from "./foreign-names.js";
import { defaultPreset, presets } from "./presets.js";
import { lacking, unread, withoutGym } from "./rollout-mode.js";

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
    if (!(error instanceof TrainerError)) throw error;
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
    const received = `${JSON.stringify(policy)}${didYouMean(policy.replace(/:.*/s, ""), ["native", "openai"])}`;
    reasons.push(["policy", `expected native or openai:URL#model, but received ${received}`]);
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

export interface SettingsSources {
  /** By name. Default: `defaultPreset`. */
  readonly preset?: string | undefined;
  /** Path of a YAML file. */
  readonly file?: string | undefined;
  /** As text, the way a command line has them. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Preset, file and flags; the later ones win. @throws {TrainerError} */
export async function loadSettings({ preset = defaultPreset, file, flags }: SettingsSources): Promise<TrainSettings> {
  const base = presets[preset];
  if (!base) {
    const known = Object.keys(presets);
    const received = `${preset}${didYouMean(preset, known)}`;
    throw new TrainerError("SETTINGS_INVALID", `expected a preset of ${known.join(", ")}, but received ${received}`);
  }
  const fromFile = file === undefined ? {} : await readYaml(file);
  const fromFlags = Object.fromEntries(Object.entries(flags).map(([name, text]) => [name, parsedFlag(name, text)]));
  const own: Record<string, unknown> = { ...fromFile, ...fromFlags };
  const rest = (own.rollout ?? base.rollout) === "endpoint" ? withoutGym(base) : base;
  return checkSettings({ ...rest, ...own });
}

/** @throws {TrainerError} */
export function checkSettings(given: Readonly<Record<string, unknown>>): TrainSettings {
  const { success, data, error } = TrainSettings.safeParse(given);
  const unreadSettings = unread(given, settingFields);
  const isRead = ({ path }: z.core.$ZodIssue) => !unreadSettings.some(([name]) => name === path[0]);
  const reasons = [
    ...(error?.issues ?? []).filter(isRead).flatMap((issue) => reasonsOf(issue, given)),
    ...unreadSettings.map(([name, reason]) => `${name}: ${reason}`),
  ];
  if (success && reasons.length === 0) return data;
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected settings that can be used, but received:\n  ${reasons.join("\n  ")}`,
  );
}

/** A line for each thing that is wrong, with its remedy where there is one. */
function reasonsOf(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map(aboutUnknownSetting);
  const name = issue.path.join(".");
  if (issue.code !== "invalid_value") return [[name, issue.message].filter(Boolean).join(": ")];
  const value = issue.path.reduce<unknown>((whole, key) => (whole as Record<PropertyKey, unknown>)?.[key], given);
  const suggestion = typeof value === "string" ? didYouMean(value, issue.values.map(String)) : "";
  return [`${name}: expected one of ${issue.values.join(", ")}, but received ${JSON.stringify(value)}${suggestion}`];
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

/** No setting is a mapping; other trainers nest theirs, and each is answered by its dotted name. */
function flattened(mapping: Readonly<Record<string, unknown>>, prefix = ""): Record<string, unknown> {
  const entries = Object.entries(mapping).map(([name, value]) =>
    isMapping(value) && Object.keys(value).length > 0
      ? flattened(value, `${prefix}${name}.`)
      : { [`${prefix}${name}`]: value },
  );
  return Object.assign({}, ...entries) as Record<string, unknown>;
}

/** A flag as YAML has it: `0.1`, `true`, `a, b` as a list where the setting is one. */
function parsedFlag(name: string, text: string): unknown {
  const field = settingFields[name as keyof typeof settingFields] as z.ZodType | undefined;
  const inner = field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
  if (inner instanceof z.ZodArray) return text.split(",").map((part) => parse(part) as unknown);
  const isText = field?.safeParse(text).success;
  return isText ? text : parse(text);
}
