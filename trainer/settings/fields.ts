/**
 * Every setting of a training run, in the groups of the help. Settings that exist in AReaL or AgentGym-RL have the same
 * names here.
 */
import type { z } from "zod";
import { algorithmFields } from "../algorithms/index.js";
import { cloningSettings } from "./groups/cloning.js";
import { endpointSettings } from "./groups/endpoint.js";
import { evaluationSettings } from "./groups/evaluation.js";
import { gymSettings } from "./groups/gym.js";
import { modelSettings } from "./groups/model.js";
import { optimiserSettings } from "./groups/optimiser.js";
import { rolloutSettings } from "./groups/rollouts.js";
import { runSettings } from "./groups/run.js";
import { seatSettings } from "./groups/seats.js";
import { fieldsOf, type Setting, type SettingRules } from "./setting.js";

const settings = {
  ...runSettings,
  ...endpointSettings,
  ...gymSettings,
  ...modelSettings,
  ...cloningSettings,
  ...rolloutSettings,
  ...seatSettings,
  ...optimiserSettings,
  ...evaluationSettings,
} satisfies Readonly<Record<string, Setting<z.ZodType>>>;

/** Fields of the schema of a run. */
export const settingFields = { ...fieldsOf(settings), ...algorithmFields };

export type SettingName = keyof typeof settingFields;

/** Rules of every setting of an algorithm, since each affects what is learned. */
const algorithmRules: SettingRules = { mode: "both", change: "asked", startingModel: "no" };

/** Returns the rules of a setting. */
export function rulesOf(name: SettingName): SettingRules {
  if (name in settings) return settings[name as keyof typeof settings];
  // A checkpoint has the weights of a separate critic, or those of a value head.
  return name === "critic" ? { ...algorithmRules, change: "never" } : algorithmRules;
}

/** Names of all settings, in the order in which they are declared. */
export const settingNames = Object.keys(settingFields) as SettingName[];

/** Names of settings by heading, in the order of the help. */
export const settingGroups = new Map<string, readonly SettingName[]>(
  Object.entries({
    Run: runSettings,
    "Gym and tasks": gymSettings,
    "Model and engine": modelSettings,
    Cloning: cloningSettings,
    Rollouts: rolloutSettings,
    "Several players": seatSettings,
    Algorithm: algorithmFields,
    Optimiser: optimiserSettings,
    Evaluation: evaluationSettings,
    "Rollout endpoint": endpointSettings,
  }).map(([heading, group]) => [heading, Object.keys(group) as SettingName[]]),
);
