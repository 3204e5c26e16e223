/** What a task asks for, one condition at a time. */

import type { Thing } from "../engine/thing.js";
import type { Command } from "../parser/parser.js";
import type { Aim } from "./aim.js";

export type Outcome = "met" | "open" | "failed";

/** Of an episode, what goals look at. */
export interface GoalView {
  readonly agent: Thing;
  /** All that is where the agent is, in whatever it is. */
  readonly near: readonly Thing[];
  /** All that the agent has done. */
  readonly history: readonly Command[];
  /** What the last ordered goal was met with. */
  readonly lastMetWith: Thing | undefined;
  /** What goals tell later ones. */
  readonly notes: Map<string, string>;
}

/** The description of a goal of which the original says nothing. */
export const untold = "";

/** Made anew for each episode: some remember. */
export interface Goal {
  /** In the original's words. */
  readonly description: string;
  /** Of ordered goals: what it asks for. Left out: the expert does not know. */
  readonly aim?: Aim;
  /** Of ordered goals: the thing that it was met with is what later ones are about. */
  readonly isAboutThing?: boolean;
  /** Of ordered goals: it may be skipped. */
  readonly isOptional?: boolean;
  /** The focus is given up with it. */
  readonly defocuses?: boolean;
  /** Of goals that are met in any order: it is checked once, and not with the focus, too. */
  readonly ignoresFocus?: boolean;
  /** By which later goals know that it was met. */
  readonly key?: string;
  /** Keys of goals that come first. */
  readonly after?: readonly string[];
  /** @param focus what the agent looks at; undefined: nothing */
  check(focus: Thing | undefined, view: GoalView): Outcome;
}

export const met = (condition: boolean | undefined): Outcome => (condition ? "met" : "open");
