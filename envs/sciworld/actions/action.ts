/** Definition of an action: its wordings, its conditions and its effect. */
import type { Thing, World } from "../engine/thing.js";

/** The state of an episode that actions read and change. */
export interface Scene {
  readonly world: World;
  readonly agent: Thing;
  readonly inventory: Thing;
  readonly taskDescription: string;
  /** Thing in focus: the last thing that the agent has focused on. The goals of the task depend on it. */
  focus: Thing | undefined;
  /** Number of ticks that an action such as "wait" still has to let pass. */
  waits: number;
  /** Resets the progress of all goals. */
  resetGoals(): void;
}

/** Placeholder for a thing in a pattern. */
export interface Slot {
  readonly slot: string;
}

/** Alternative words, the usual word first. */
export type Words = readonly string[];

export type Pattern = readonly (Words | Slot)[];

/** The things that fill the slots of a pattern, in order. */
export type Objects = readonly Thing[];

export interface Action {
  readonly name: string;
  /** Number of the action template in ScienceWorld. */
  readonly id: number;
  readonly pattern: Pattern;
  /** True if the action may name every thing in the universe, not only reachable things. */
  readonly isOracle?: boolean;
  /** True if the action takes no time: the world makes no tick. */
  readonly isFree?: boolean;
  /** Words before each thing in a list of valid actions. Default: the usual words of the pattern. */
  readonly offeredAs?: readonly string[];
  /**
   * Whether the lists of valid actions contain the action with these things. Default: true unless the action is
   * refused.
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

/** ScienceWorld's reply in cases that its code does not handle. */
export const unknownCase = "<unknown catch>";

export function place({ agent }: Scene): Thing {
  if (agent.container) return agent.container;
  throw new Error("The agent is not in the world.");
}
