/**
 * Compares the settings of a resumed run with those of its checkpoint and of its starting model. The rules of each
 * setting define whether it may differ. A setting that affects what is learned may not differ, since the results would
 * correspond to neither value.
 */

import { isDeepStrictEqual } from "node:util";
import { TrainerError } from "../errors.js";
import { rulesOf, type SettingName, settingNames } from "./fields.js";
import { type TrainSettings, withoutSecrets } from "./settings.js";

/** Every setting as JSON. An unset setting is null; a setting that an older version did not have is absent. */
export type RecordedSettings = Readonly<Record<string, unknown>>;

export function recordedSettings(settings: TrainSettings): RecordedSettings {
  const shown = withoutSecrets(settings);
  const values = settingNames.map((name) => [name, shown[name] ?? null]);
  return JSON.parse(JSON.stringify(Object.fromEntries(values))) as RecordedSettings;
}

/** Selects the settings that the starting model depends on. */
export function startingSettings(settings: TrainSettings): RecordedSettings {
  const all = recordedSettings(settings);
  const names = settingNames.filter((name) => rulesOf(name).startingModel !== "no");
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/**
 * Refuses to resume a run with changed settings whose rules do not allow the change.
 *
 * @param before settings of the checkpoint
 * @throws {TrainerError} SETTINGS_CHANGED, with each of these settings
 */
export function expectResumable(before: RecordedSettings, settings: TrainSettings): void {
  const changed = changesOf(before, settings).filter(({ name }) => rulesOf(name).change !== "free");
  const isFixed = ({ name }: Change) => rulesOf(name).change === "never";
  const refused = settings.allow_changed_settings ? changed.filter(isFixed) : changed;
  if (refused.length === 0) return;
  const ways = ["use the old values", "start a new run with resume false", "choose a different output"];
  if (!refused.some(isFixed)) ways.push("set allow_changed_settings true to resume with the new values");
  throw new TrainerError(
    "SETTINGS_CHANGED",
    `expected to resume ${settings.output} with the settings of its checkpoint, but received different values:` +
      `\n  ${refused.map(({ text }) => text).join("\n  ")}\nEither ${ways.join(", or ")}.`,
  );
}

/**
 * Refuses a starting model that was made with other settings.
 *
 * @param before settings that the model in the folder was made with
 * @throws {TrainerError} SETTINGS_CHANGED, with each setting that differs
 */
export function expectSameStartingModel(folder: string, before: RecordedSettings, settings: TrainSettings): void {
  const isAllowed = ({ name }: Change) => settings.allow_changed_settings && rulesOf(name).startingModel === "asked";
  const changed = changesOf(before, settings).filter((change) => !isAllowed(change));
  if (changed.length === 0) return;
  throw new TrainerError(
    "SETTINGS_CHANGED",
    `expected the settings that ${folder} was made with, but received different values:` +
      `\n  ${changed.map(({ text }) => text).join("\n  ")}\nEither use the old values, or choose a different output, or remove that folder.`,
  );
}

interface Change {
  readonly name: SettingName;
  readonly text: string;
}

function changesOf(before: RecordedSettings, settings: TrainSettings): Change[] {
  const now = recordedSettings(settings);
  // A setting that exists in only one of two versions of the trainer was not changed by the user.
  return settingNames
    .filter((name) => name in before && !isDeepStrictEqual(before[name], now[name]))
    .map((name) => ({ name, text: `${name}: ${shown(before[name])} before, ${shown(now[name])} now` }));
}

function shown(value: unknown): string {
  return value === null ? "unset" : JSON.stringify(value);
}
