/** Settings as options of a command, each with its type, choices and defaults; basic settings come first. */
import { Option } from "commander";
import { z } from "zod";
import {
  type AlgorithmName,
  AlgorithmSettings,
  algorithmFields,
  algorithmNames,
} from "../../../trainer/algorithms/index.js";
import { readersOf } from "../../../trainer/algorithms/parts/contradictions.js";
import { resolveDefaults } from "../../../trainer/algorithms/parts/defaults.js";
import { type SettingName, settingFields, settingGroups } from "../../../trainer/settings/fields.js";
import { defaultPreset, presets } from "../../../trainer/settings/presets.js";

export const basicHeading = "Basic settings:";

/** Settings that most runs set, in the order of the help. */
const basic: readonly SettingName[] = [
  ...(["output", "model", "train_tasks", "eval_tasks", "total_train_steps", "max_minutes"] as const),
  ...(["algorithm", "batch_size", "n_samples", "lr", "device", "rollout"] as const),
];

/** Returns the options of all settings: basic settings first, then all other settings by group. */
export function settingOptions(): Option[] {
  const rest = [...settingGroups].flatMap(([heading, names]) =>
    names.filter((name) => !basic.includes(name)).map((name) => settingOption(name, `${heading}:`)),
  );
  return [...basic.map((name) => settingOption(name, basicHeading)), ...rest];
}

function settingOption(name: SettingName, heading: string): Option {
  const field: z.ZodType = settingFields[name];
  const facts = [choicesOf(field), readersIn(name), defaultOf(name), otherPresets(name)].filter(Boolean).join("; ");
  const description = `${field.description ?? ""}${facts && ` (${facts})`}`;
  const option = new Option(`--${name} <${kindOf(innerOf(field))}>`, description).helpGroup(heading);
  const inner = innerOf(field);
  // The settings refuse other values themselves, so the option only lists the values for the completion of shells.
  return inner instanceof z.ZodEnum ? Object.assign(option, { argChoices: inner.options.map(String) }) : option;
}

function innerOf(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? innerOf(field.unwrap() as z.ZodType) : field;
}

function kindOf(inner: z.ZodType): string {
  if (inner instanceof z.ZodBoolean) return "true|false";
  if (inner instanceof z.ZodNumber) return "number";
  if (inner instanceof z.ZodArray) return "list";
  return inner instanceof z.ZodEnum ? "name" : "text";
}

function choicesOf(field: z.ZodType): string {
  const inner = innerOf(field);
  return inner instanceof z.ZodEnum ? `choices: ${inner.options.join(", ")}` : "";
}

function isOfAlgorithms(name: SettingName): name is keyof typeof algorithmFields {
  return Object.hasOwn(algorithmFields, name);
}

/** Lists the algorithms that read a setting, if they are few. */
function readersIn(name: SettingName): string {
  const readers = isOfAlgorithms(name) ? readersOf(name) : algorithmNames;
  return readers.length <= 3 ? `${readers.join(", ")} only` : "";
}

/** Describes the default with the default preset. Empty if the help text describes it already. */
function defaultOf(name: SettingName): string {
  const field: z.ZodType = settingFields[name];
  const value = valueWith(defaultPreset, name);
  if (value !== undefined) return `default: ${shown(value)}`;
  if (/\bDefault\b/.test(field.description ?? "")) return "";
  return isOfAlgorithms(name) ? `default: ${defaultsByAlgorithm(name)}` : "";
}

/** Describes the values of a setting in the presets that differ from the default preset. */
function otherPresets(name: SettingName): string {
  const usual = shown(valueWith(defaultPreset, name));
  const others = Object.keys(presets).map((preset) => [shown(valueWith(preset, name)), preset] as const);
  const groups = grouped(others.filter(([value]) => value !== usual));
  return groups
    .map(([value, names]) => `${value} with preset${names.length > 1 ? "s" : ""} ${names.join(", ")}`)
    .join("; ");
}

function valueWith(preset: string, name: SettingName): unknown {
  return presets[preset]?.[name] ?? settingFields[name].safeParse(undefined).data;
}

/** Describes the most common default, then the different defaults of single algorithms. */
function defaultsByAlgorithm(name: keyof typeof algorithmFields): string {
  const groups = grouped(readersOf(name).map((algorithm) => [defaultWith(algorithm, name), algorithm]));
  const [[usual] = ["unset"], ...others] = groups.sort(([, a], [, b]) => b.length - a.length);
  return [usual, ...others.map(([value, algorithms]) => `${value} with ${algorithms.join(", ")}`)].join("; ");
}

/** Groups names by their values. */
function grouped(pairs: readonly (readonly [value: string, name: string])[]): [string, string[]][] {
  const names = new Map<string, string[]>();
  for (const [value, name] of pairs) names.set(value, [...(names.get(value) ?? []), name]);
  return [...names];
}

/**
 * A value of eps_clip that is no algorithm's default. A setting that resolves to it takes its default from eps_clip.
 */
const probe = 0.123456;

function defaultWith(algorithm: AlgorithmName, name: keyof typeof algorithmFields): string {
  const given = name === "eps_clip_higher" ? { algorithm, eps_clip: probe } : { algorithm };
  const value = resolveDefaults(AlgorithmSettings.parse(given))[name];
  return value === probe ? "eps_clip" : shown(value);
}

function shown(value: unknown): string {
  if (value === undefined) return "unset";
  if (Array.isArray(value) && value.length === 0) return "none";
  if (!Array.isArray(value)) return String(value);
  return value.length > 2 ? `${value[0]} and ${value.length - 1} more` : value.join(",");
}
