/** Facts about the environment that are equal for both engines. */
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
  // A failed task loses all gained points and 100 more.
  rewardRange: [-2, 1],
  // The value is below 1, since a sum of rewards in hundredths may have a rounding error.
  solvedReward: 0.995,
  familyKey: "task",
  prompt,
  promptFormat: "react",
  tools,
  restore: "replay",
} as const satisfies Partial<EnvironmentFacts>;
