/** All tasks, in the order in which ScienceWorld creates them. This order determines the random draws of each task. */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import { changesOfState } from "./change-of-state.js";
import { mixtures } from "./chemistry.js";
import { conductivities } from "./conductivity.js";
import { circuits } from "./electric-circuit.js";
import { findings } from "./find-living.js";
import { genetics } from "./genetics.js";
import { growings } from "./grow-plant.js";
import { inclinedPlanes } from "./inclined-plane.js";
import { lifeStages } from "./life-stages.js";
import { lifespans } from "./lifespan.js";
import { paintMixtures } from "./paints.js";
import type { Task } from "./task.js";
import { measurements } from "./thermometer.js";

export const tasks: readonly Task[] = [
  ...changesOfState,
  ...circuits,
  ...conductivities,
  ...findings,
  ...growings,
  ...mixtures,
  ...paintMixtures,
  ...lifespans,
  ...lifeStages,
  ...inclinedPlanes,
  ...genetics,
  ...measurements,
];

/** Returns the random draws of a task. @param random stream in its state before the first task */
export function drawAtTurn(task: Task, random: JavaRandom): readonly number[] {
  for (const earlier of tasks.slice(0, tasks.indexOf(task))) earlier.draw(random);
  return task.draw(random);
}

/** Returns a task by name. @throws {Error} the task does not exist */
export function taskNamed(name: string): Task {
  const task = tasks.find((one) => one.name === name);
  if (task) return task;
  throw new Error(`expected the name of a ScienceWorld task, but received ${name}`);
}
