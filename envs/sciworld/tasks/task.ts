/** Definition of a task: the things that its variations add to the house, and the goals. */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import type { World } from "../engine/thing.js";
import type { GoalSequence } from "../goals/goal-sequence.js";
import type { House } from "../house.js";

export interface Assignment {
  readonly description: string;
  readonly goals: GoalSequence;
}

/** Puts the things of a variation, which were created before the house, into the house. */
export type Furnishing = (house: House) => Assignment;

export interface Task {
  readonly name: string;
  readonly variations: number;
  /**
   * Makes the random draws that ScienceWorld makes for the things of all variations. All tasks use the same generator,
   * so the draws of a task depend on the tasks before it.
   *
   * @returns the drawn values that the task uses, in order
   */
  draw(random: JavaRandom): readonly number[];
  /** Creates the objects of a variation. @param variation index from 0 @param drawn values that `draw` returned */
  prepare(variation: number, drawn: readonly number[], world: World): Furnishing;
}
