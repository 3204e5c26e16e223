/** The expert: for each task that it knows, a solver that goes by what the agent sees. */
import type { PastStep, Sight } from "./sight.js";
import { solvers } from "./solvers/index.js";
import { View } from "./view.js";

/** The next action, or null where there is none. */
export function adviseOn(task: string, sight: Sight, past: readonly PastStep[]): string | null {
  return solvers[task]?.(new View(sight, past)) ?? null;
}
