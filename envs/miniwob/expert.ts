/** The expert, with a solver for each known task. A solver uses only the observations that the agent receives. */
import type { PastStep, Sight } from "./sight.js";
import { solvers } from "./solvers/index.js";
import { View } from "./view.js";

/**
 * Returns the next action of the task's solver. Returns null if the task has no solver, or the solver has no action.
 */
export function adviseOn(task: string, sight: Sight, past: readonly PastStep[]): string | null {
  return solvers[task]?.(new View(sight, past)) ?? null;
}
