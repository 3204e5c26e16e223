/** The definition of an action: wordings, conditions and effect. */
import type { Thing, World } from "../engine/thing.js";

/** The part of an episode that actions read and change. */
export interface Scene {
  readonly world: World;
  readonly agent: Thing;
  readonly inventory: Thing;
  readonly taskDescription: string;
  /** Thing that the agent has focused on, for the goals of the task. */
  focus: Thing | undefined;
  /** Number of ticks that the agent still waits. */
  waits: number;
  /** Resets the progress of all goals. */
  resetGoals(): void;
}

/** A slot of a pattern. */
export interface Slot {
  readonly slot: string;
}

/** Alternative wordings, the usual one first. */
export type Words = readonly string[];

export type Pattern = readonly (Words | Slot)[];

/** The things in the slots, in order. */
export type Objects = readonly Thing[];

export interface Action {
  readonly name: string;
  /** Number of the template in ScienceWorld. */
  readonly id: number;
  readonly pattern: Pattern;
  /** True if the action may name anything in the universe, not only reachable things. */
  readonly isOracle?: boolean;
  /** True if no tick passes. */
  readonly isFree?: boolean;
  /** Words before each thing in a list of valid actions. Default: the usual words of the pattern. */
  readonly offeredAs?: readonly string[];
  /**
   * Whether a list of valid actions contains the action, for things in the order of the text. Default: true unless the
   * action is refused.
   */
  offers?(objects: Objects, scene: Scene): boolean;
  /** @returns the reason why the action is impossible, or undefined */
  refuse?(objects: Objects, scene: Scene): string | undefined;
  /** Performs the action. @returns the observation */
  perform(objects: Objects, scene: Scene): string;
}

/** Returns an example of the input, such as "move OBJ to OBJ". */
export function exampleOf({ pattern }: Action): string {
  return pattern.map((element) => ("slot" in element ? "OBJ" : element[0])).join(" ");
}

/** Returns the words before each thing, as in lists of valid actions. */
export function usualWords({ pattern, offeredAs }: Action): readonly string[] {
  return offeredAs ?? pattern.flatMap((element) => ("slot" in element ? [] : (element[0] ?? [])));
}

export const slot = (name: string): Slot => ({ slot: name });

/** Reply of ScienceWorld in a case that ScienceWorld does not handle. */
export const unknownCase = "<unknown catch>";

export function place({ agent }: Scene): Thing {
  if (agent.container) return agent.container;
  throw new Error("The agent is not in the world.");
}
