/**
 * Names of our settings in other trainers and in earlier versions of this trainer. The other trainers are verl, AReaL,
 * TRL, SkyRL, slime, OpenRLHF, NeMo RL, prime-rl, verl-agent and AgentGym-RL; the names come from their configuration
 * files, documentation and examples. The same table is used for flags and for keys of a settings file.
 */
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { jsonFile } from "../data-file.js";
import { TrainerError } from "../errors.js";
import { type SettingName, settingFields } from "./fields.js";

type Names = { readonly [ours in SettingName]?: readonly string[] };

export interface ForeignNames {
  /** Names of the same setting in other trainers, by our name. */
  same: Names;
  /** Names of settings in other trainers with the same purpose but a different unit or format, by our name. */
  nearest: Names;
}

export const foreignNames = jsonFile<ForeignNames>(new URL("./data/foreign-names.json", import.meta.url));

interface Answer {
  /** Words that introduce our name in a message. */
  readonly verb: string;
  readonly ours: SettingName;
}

let answers: ReadonlyMap<string, Answer> | undefined;

function answerTo(name: string): Answer | undefined {
  const { same, nearest } = foreignNames();
  answers ??= new Map([...answersIn(same, "is called"), ...answersIn(nearest, "is nearest to")]);
  return answers.get(name);
}

function answersIn(names: Names, verb: string): [string, Answer][] {
  return Object.entries(names).flatMap(([ours, elsewhere]) =>
    elsewhere.map((name): [string, Answer] => [name, { verb, ours: ours as SettingName }]),
  );
}

/** Earlier names of our settings. They are still accepted, with a warning. */
export const earlierNames = { max_concurrent_rollouts: "max_concurrent_groups" } as const satisfies Record<
  string,
  SettingName
>;

/**
 * Replaces earlier names by current ones.
 *
 * @param warn receives a line for each earlier name
 * @throws {TrainerError} SETTINGS_INVALID: a setting is given by both names
 */
export function withCurrentNames(
  given: Readonly<Record<string, unknown>>,
  warn: (line: string) => void,
): Record<string, unknown> {
  const current: Record<string, unknown> = { ...given };
  for (const [earlier, name] of Object.entries(earlierNames)) {
    if (!Object.hasOwn(given, earlier)) continue;
    if (Object.hasOwn(given, name)) {
      throw new TrainerError(
        "SETTINGS_INVALID",
        `expected only ${name}, but received ${name} and its earlier name ${earlier}`,
      );
    }
    warn(`${earlier} is now called ${name}. Rename it; the earlier name will go.`);
    current[name] = given[earlier];
    delete current[earlier];
  }
  return current;
}

/**
 * Explains a foreign name: "kl_coef is called kl_ctl here: ...". Returns an empty string for a name that no other
 * trainer has.
 *
 * @param name a flag without its dashes, or a key of a file with dots between its levels
 */
export function aboutForeignName(name: string): string {
  const plain = name.replaceAll("-", "_");
  const known = answerTo(plain);
  if (known) return `${name} ${known.verb} ${known.ours} here: ${settingFields[known.ours].description}`;
  // Other trainers nest settings in levels that change between versions, so a known last part of the name is suggested.
  const last = plain.slice(plain.lastIndexOf(".") + 1);
  const ours = answerTo(last)?.ours ?? (Object.hasOwn(settingFields, last) ? last : undefined);
  return ours === undefined || last === plain ? "" : `${name} is unknown (Did you mean ${ours}?)`;
}

/** Explains a name that is not a setting. */
export function aboutUnknownSetting(name: string): string {
  const suggestion = didYouMean(name.replaceAll("-", "_"), Object.keys(settingFields));
  return aboutForeignName(name) || `${name} is unknown${suggestion || " (palestra train --help lists all settings)"}`;
}
