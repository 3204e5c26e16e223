/** Definition of a goal: one condition of a task. */

import type { Thing } from "../engine/thing.js";
import type { Command } from "../parser/parser.js";
import type { Aim } from "./aim.js";

export type Outcome = "met" | "open" | "failed";

/** The part of an episode's state that goals read. */
export interface GoalView {
  readonly agent: Thing;
  /** All visible things in the place of the agent, at any depth of containers. */
  readonly near: readonly Thing[];
  /** All commands of the agent. */
  readonly history: readonly Command[];
  /** Thing that met the last ordered goal. */
  readonly lastMetWith: Thing | undefined;
  /** Values that goals store for later goals. */
  readonly notes: Map<string, string>;
}

/** Empty description, for a goal that has no description in ScienceWorld. */
export const untold = "";

/** A goal. Some goals have state, so each episode creates its own goals. */
export interface Goal {
  /** Description in ScienceWorld's words. */
  readonly description: string;
  /** The goal's condition as data. The expert gives up if an unmet ordered goal has no aim. */
  readonly aim?: Aim;
  /** True for an ordered goal if later goals are about the thing that meets it. */
  readonly isAboutThing?: boolean;
  /** True for an ordered goal that may be skipped. */
  readonly isOptional?: boolean;
  /** True if the focus is cleared when the goal is met. */
  readonly defocuses?: boolean;
  /** True for an unordered goal that is always checked as if no thing were in focus. */
  readonly ignoresFocus?: boolean;
  /** Key with which later goals refer to this goal. */
  readonly key?: string;
  /** Keys of the goals that must be met before this goal. */
  readonly after?: readonly string[];
  /** Checks the condition. @param focus thing in focus, if any */
  check(focus: Thing | undefined, view: GoalView): Outcome;
}

export const met = (condition: boolean | undefined): Outcome => (condition ? "met" : "open");
