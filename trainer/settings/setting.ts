/** The declaration of a setting: its type and default, its help text, and its rules. */
import type { z } from "zod";

export interface SettingRules {
  /** Rollout mode that reads the setting. In the other mode, only the default value is accepted. */
  readonly mode: "both" | "gym" | "endpoint";
  /**
   * Whether a resumed run may have a different value: `free`, always; `asked`, only with `allow_changed_settings`,
   * since the setting affects what is learned; `never`, since a checkpoint is incompatible with a different value.
   */
  readonly change: "free" | "asked" | "never";
  /**
   * Whether the starting model depends on the setting. `asked`: the starting model and the later train steps depend on
   * it, so a run with `allow_changed_settings` may keep its starting model.
   */
  readonly startingModel: "no" | "yes" | "asked";
}

export interface Setting<Type extends z.ZodType = z.ZodType> extends SettingRules {
  /** Schema of the value, with its default. */
  readonly type: Type;
  /** Help text of the setting, as a sentence. */
  readonly help: string;
}

/** Declares a setting. Every rule is required, so a missing rule is a type error. */
export function setting<Type extends z.ZodType>(type: Type, help: string, rules: SettingRules): Setting<Type> {
  return { type, help, ...rules };
}

/** Schemas of settings, each with its help as the description. */
export type Fields<Group extends Readonly<Record<string, Setting>>> = { [Name in keyof Group]: Group[Name]["type"] };

/** Extracts the schemas of a group of settings. */
export function fieldsOf<Group extends Readonly<Record<string, Setting>>>(group: Group): Fields<Group> {
  const fields = Object.entries(group).map(([name, { type, help }]) => [name, type.describe(help)]);
  return Object.fromEntries(fields) as Fields<Group>;
}
