/**
 * The rollout modes `gym` and `endpoint`: the settings that each mode needs, and the settings that it does not read.
 */
import type { z } from "zod";
import { isLoopback } from "../../server/formats/loopback.js";
import { rulesOf, type SettingName, settingFields } from "./fields.js";

interface ModeSettings {
  readonly rollout: "gym" | "endpoint";
  readonly train_tasks: readonly string[];
  readonly eval_tasks: readonly string[];
  readonly endpoint_host: string;
  readonly endpoint_api_key?: string | undefined;
}

/** Finds missing settings that the rollout mode needs. @returns names, each with the expected value */
export function lacking(settings: ModeSettings): [string, string][] {
  const { rollout, endpoint_host: host, endpoint_api_key: key } = settings;
  if (rollout === "gym") {
    const empty = (["train_tasks", "eval_tasks"] as const).filter((name) => settings[name].length === 0);
    return empty.map((name) => [name, "expected at least one task set with rollout gym, but received none"]);
  }
  if (key !== undefined || isLoopback(host)) return [];
  return [["endpoint_api_key", `expected an API key, since other machines can reach ${host}`]];
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Finds settings that the rollout mode does not read. A setting with its default value is accepted.
 *
 * @returns names, each with the reason why it is refused
 */
export function unread(given: Given): [string, string][] {
  const mode = given.rollout === "endpoint" ? "endpoint" : "gym";
  const reason = `expected no value with rollout ${mode}, which does not read this setting. Remove it.`;
  return Object.entries(given)
    .filter(([name, value]) => isSetting(name) && !isRead(name, mode) && !isDefault(settingFields[name], value))
    .map(([name]) => [name, reason]);
}

/** Removes the settings of a preset that are only read in a run with a gym. */
export function withoutGym(preset: Given): Record<string, unknown> {
  return Object.fromEntries(Object.entries(preset).filter(([name]) => !isSetting(name) || isRead(name, "endpoint")));
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settingFields, name);
}

function isRead(name: SettingName, rollout: "gym" | "endpoint"): boolean {
  const { mode } = rulesOf(name);
  return mode === "both" || mode === rollout;
}

function isDefault(field: z.ZodType, value: unknown): boolean {
  return JSON.stringify(field.safeParse(undefined).data) === JSON.stringify(value);
}
