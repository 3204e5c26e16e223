/** The definition of a goal: one condition of a task. */

import type { Thing } from "../engine/thing.js";
import type { Command } from "../parser/parser.js";
import type { Aim } from "./aim.js";

export type Outcome = "met" | "open" | "failed";

/** The part of an episode that goals read. */
export interface GoalView {
  readonly agent: Thing;
  /** All things in the place of the agent, at any depth. */
  readonly near: readonly Thing[];
  /** All commands of the agent. */
  readonly history: readonly Command[];
  /** Thing with which the last ordered goal was met. */
  readonly lastMetWith: Thing | undefined;
  /** Notes of goals for later goals. */
  readonly notes: Map<string, string>;
}

/** Description of a goal that has no description in ScienceWorld. */
export const untold = "";

/** A goal. Some goals have state, so each episode makes goals of its own. */
export interface Goal {
  /** Description in the words of ScienceWorld. */
  readonly description: string;
  /** Aim of an ordered goal. The expert cannot pursue a goal without an aim. */
  readonly aim?: Aim;
  /** True for an ordered goal whose thing is the subject of later goals. */
  readonly isAboutThing?: boolean;
  /** True for an ordered goal that may be skipped. */
  readonly isOptional?: boolean;
  /** True if meeting the goal clears the focus. */
  readonly defocuses?: boolean;
  /** True for an unordered goal that is checked only without the focus. */
  readonly ignoresFocus?: boolean;
  /** Key with which later goals refer to this goal. */
  readonly key?: string;
  /** Keys of goals that must be met before this one. */
  readonly after?: readonly string[];
  /** @param focus thing in focus, if any */
  check(focus: Thing | undefined, view: GoalView): Outcome;
}

export const met = (condition: boolean | undefined): Outcome => (condition ? "met" : "open");
