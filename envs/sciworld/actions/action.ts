/** What an agent can do: the wordings of each action, when it is refused, and what it does. */
import type { Thing, World } from "../engine/thing.js";

/** Of an episode, what actions see and change. */
export interface Scene {
  readonly world: World;
  readonly agent: Thing;
  readonly inventory: Thing;
  readonly taskDescription: string;
  /** What the agent looks at for the task's goals. */
  focus: Thing | undefined;
  /** Ticks that the agent still lets pass. */
  waits: number;
  /** Goals begin anew. */
  resetGoals(): void;
}

/** A slot of a pattern. */
export interface Slot {
  readonly slot: string;
}

/** One of these wordings, the usual one first. */
export type Words = readonly string[];

export type Pattern = readonly (Words | Slot)[];

/** What stands in the slots, in their order. */
export type Objects = readonly Thing[];

export interface Action {
  readonly name: string;
  /** The original's number of its template. */
  readonly id: number;
  readonly pattern: Pattern;
  /** Sees the whole universe, not what is within reach. */
  readonly isOracle?: boolean;
  /** No tick passes. */
  readonly isFree?: boolean;
  /** What a list of valid actions says before each of its things. Left out: the usual words of the pattern. */
  readonly offeredAs?: readonly string[];
  /** Whether such a list has it, of things in the order of its text. Left out: if it is not refused. */
  offers?(objects: Objects, scene: Scene): boolean;
  /** @returns why it cannot be done */
  refuse?(objects: Objects, scene: Scene): string | undefined;
  /** @returns what the agent is told */
  perform(objects: Objects, scene: Scene): string;
}

/** As an example of what can be typed: move OBJ to OBJ. */
export function exampleOf({ pattern }: Action): string {
  return pattern.map((element) => ("slot" in element ? "OBJ" : element[0])).join(" ");
}

/** What is typed before each of its things, as lists of valid actions have it. */
export function usualWords({ pattern, offeredAs }: Action): readonly string[] {
  return offeredAs ?? pattern.flatMap((element) => ("slot" in element ? [] : (element[0] ?? [])));
}

export const slot = (name: string): Slot => ({ slot: name });

/** As the original says where it forgot a case. */
export const unknownCase = "<unknown catch>";

export function place({ agent }: Scene): Thing {
  if (agent.container) return agent.container;
  throw new Error("expected the agent to be somewhere, but received an agent out of the world");
}
