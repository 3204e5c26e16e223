import type { AsyncEnvironmentSpec } from "../env.js";
import { machines } from "../machines/requirement.js";
import { Workbench } from "./env.js";
import { prompt } from "./prompt.js";
import { tasks } from "./requirements.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";

const workbench: AsyncEnvironmentSpec<Workbench> = {
  isAsync: true,
  id: "workbench",
  version: 1,
  summary: "Solve a task in Harbor's format on a Linux machine, by commands and files.",
  splits,
  maxSteps: 60,
  rewardRange: [0, 1],
  // With the reward of a task of several steps, which comes in shares.
  solvedReward: 1,
  familyKey: "category",
  prompt,
  tools,
  requirements: [machines, tasks],
  // Commands see the clock, process numbers and chance: played again, they may leave other files.
  restore: "none",
  // A build of an image, or a verifier that runs twice for the time that tasks may ask for at most.
  deadlineMs: 7_800_000,
  create: (context) => new Workbench(context),
  expert: async (environment) => environment.advise(),
};

export default workbench;
