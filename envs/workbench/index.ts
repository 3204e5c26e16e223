import type { AsyncEnvironmentSpec } from "../env.js";
import { machines } from "../shared/machines/requirement.js";
import { Workbench } from "./env.js";
import { prompt } from "./prompt.js";
import { tasks } from "./requirements.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";
import { verdictOf } from "./verdict.js";

const workbench: AsyncEnvironmentSpec<Workbench> = {
  isAsync: true,
  id: "workbench",
  version: 2,
  summary: "Solve a task in Harbor's format on a Linux machine with commands and files.",
  splits,
  maxSteps: 60,
  rewardRange: [0, 1],
  // A task of several steps splits the reward between the steps.
  solvedReward: 1,
  familyKey: "category",
  prompt,
  tools,
  requirements: [machines, tasks],
  // Commands depend on the clock, process ids and randomness, so a replay may produce other files.
  restore: "none",
  // The deadline covers the build of an image, and two runs of a verifier with the longest allowed time.
  deadlineMs: 7_800_000,
  create: (context) => new Workbench(context),
  expert: async (environment) => environment.advise(),
  verdict: async ({ graded }, end) => verdictOf(graded, end),
};

export default workbench;
