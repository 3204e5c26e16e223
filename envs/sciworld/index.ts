import type { EnvironmentSpec } from "../env.js";
import { ScienceWorld } from "./env.js";
import { nextAction } from "./expert.js";
import { options } from "./options.js";
import { prompt } from "./prompt.js";
import { queries } from "./queries.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";

const sciworld: EnvironmentSpec<ScienceWorld> = {
  id: "sciworld",
  version: 1,
  summary: "Do elementary science in a house of ten places: the 30 tasks of ScienceWorld, in 7,207 variations.",
  splits,
  options,
  maxSteps: 100,
  // A task that fails takes all that was gained, and as much again as it is worth.
  rewardRange: [-2, 1],
  solvedReward: 1,
  familyKey: "task",
  prompt,
  tools,
  requirements: [],
  restore: "replay",
  create: () => new ScienceWorld(),
  expert: nextAction,
  queries,
};

export default sciworld;
