/** A task of ScienceWorld: what it adds to the house in each of its variations, and what it asks for. */
import type { JavaRandom } from "../../rng/java-random.js";
import type { World } from "../engine/thing.js";
import type { GoalSequence } from "../goals/goal-sequence.js";
import type { House } from "../house.js";

export interface Assignment {
  readonly description: string;
  readonly goals: GoalSequence;
}

/** What is made before the house is, and put into it afterwards. */
export type Furnishing = (house: House) => Assignment;

export interface Task {
  readonly name: string;
  readonly variations: number;
  /**
   * Draws all that the original draws as it makes the task's things for every variation. All tasks share one generator:
   * those before a task decide what it draws.
   *
   * @returns what the task needs of it, in order
   */
  draw(random: JavaRandom): readonly number[];
  /** @param drawn by `draw` @param variation from 0 */
  prepare(variation: number, drawn: readonly number[], world: World): Furnishing;
}
