/** What both engines say of themselves. */
import type { EnvironmentFacts } from "../env.js";
import { options } from "./options.js";
import { prompt } from "./prompt.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";

export const shared = {
  id: "sciworld",
  splits,
  options,
  maxSteps: 100,
  // A task that fails takes all that was gained, and as much again as it is worth.
  rewardRange: [-2, 1],
  // Of 1: rewards are hundredths, and what they add up to may be off by a rounding.
  solvedReward: 0.995,
  familyKey: "task",
  prompt,
  tools,
  restore: "replay",
} as const satisfies Partial<EnvironmentFacts>;
