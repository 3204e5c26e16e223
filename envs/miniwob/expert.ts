/** The expert: a solver for each known task, which uses only the agent's observations. */
import type { PastStep, Sight } from "./sight.js";
import { solvers } from "./solvers/index.js";
import { View } from "./view.js";

/** Returns the next action, or null if there is none. */
export function adviseOn(task: string, sight: Sight, past: readonly PastStep[]): string | null {
  return solvers[task]?.(new View(sight, past)) ?? null;
}
