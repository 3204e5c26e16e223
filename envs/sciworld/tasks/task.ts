/** The definition of a task: the things that the variations add to the house, and the goals. */
import type { JavaRandom } from "../../rng/java-random.js";
import type { World } from "../engine/thing.js";
import type { GoalSequence } from "../goals/goal-sequence.js";
import type { House } from "../house.js";

export interface Assignment {
  readonly description: string;
  readonly goals: GoalSequence;
}

/** Puts things that were made before the house into the house. */
export type Furnishing = (house: House) => Assignment;

export interface Task {
  readonly name: string;
  readonly variations: number;
  /**
   * Makes the draws that ScienceWorld makes for the things of all variations. All tasks share one generator, so the
   * draws of a task depend on the earlier tasks.
   *
   * @returns the draws that the task uses, in order
   */
  draw(random: JavaRandom): readonly number[];
  /** @param variation index from 0 @param drawn values that `draw` returned */
  prepare(variation: number, drawn: readonly number[], world: World): Furnishing;
}
