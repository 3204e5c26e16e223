import type { AsyncEnvironmentSpec } from "../../env.js";
import { options } from "../options.js";
import { prompt } from "../prompt.js";
import { splits } from "../tasks.js";
import { tools } from "../tools.js";
import { JvmScienceWorld } from "./env.js";
import { queries } from "./queries.js";
import { jar, java } from "./requirements.js";

const sciworld: AsyncEnvironmentSpec<JvmScienceWorld> = {
  isAsync: true,
  id: "sciworld",
  version: "jvm",
  summary: "The same tasks, played by ScienceWorld's own simulator: for official numbers.",
  splits,
  options,
  maxSteps: 100,
  // A task that fails takes all that was gained, and as much again as it is worth.
  rewardRange: [-2, 1],
  solvedReward: 1,
  familyKey: "task",
  prompt,
  tools,
  requirements: [java, jar],
  restore: "replay",
  // The first episode of a JVM waits for a place, for its start, and for code that is not yet compiled.
  deadlineMs: 60_000,
  create: (context) => new JvmScienceWorld(context),
  expert: (environment, signal) => environment.advise(signal),
  queries,
};

export default sciworld;
