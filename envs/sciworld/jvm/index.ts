import type { AsyncEnvironmentSpec } from "../../env.js";
import { shared } from "../shared-facts.js";
import { verdictOf } from "../verdict.js";
import { JvmScienceWorld } from "./env.js";
import { queries } from "./queries.js";
import { jar, java, linux } from "./requirements.js";

const sciworld: AsyncEnvironmentSpec<JvmScienceWorld> = {
  isAsync: true,
  ...shared,
  version: "jvm",
  summary: "The same tasks on ScienceWorld's own simulator, for official scores.",
  requirements: [linux, java, jar],
  // The first episode of a JVM waits for capacity, for the start of the JVM, and for code that is not compiled yet.
  deadlineMs: 60_000,
  create: (context) => new JvmScienceWorld(context),
  expert: (environment, signal) => environment.advise(signal),
  verdict: async (environment, end, signal) =>
    verdictOf(String(await environment.ask("getGoalProgressStr", signal)), end),
  queries,
};

export default sciworld;
