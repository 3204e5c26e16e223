import type { AsyncEnvironmentSpec } from "../env.js";
import { browser } from "../shared/browser/requirement.js";
import { WebArena } from "../shared/web-tasks/env.js";
import { replayableOptions as options } from "../shared/web-tasks/options.js";
import { promptFor } from "../shared/web-tasks/prompt.js";
import { tools } from "../shared/web-tasks/tools.js";
import { labBenchmark } from "./benchmark.js";
import { labSites } from "./sites/index.js";
import { splits } from "./tasks/index.js";

const webarenaLab: AsyncEnvironmentSpec<WebArena> = {
  isAsync: true,
  id: "webarena-lab",
  version: 2,
  summary:
    "WebArena's kinds of tasks on six bundled web sites: a shop, its administration, a forum, a code forge, a wiki and a map.",
  splits,
  options,
  maxSteps: 30,
  rewardRange: [0, 1],
  familyKey: "site",
  prompt: promptFor(`These sites can be reached: ${labSites.map(({ url }) => url).join(", ")}.`),
  tools,
  requirements: [browser],
  restore: "replay",
  // A browser may have to start first, or all browsers may be in use.
  deadlineMs: 120_000,
  create: (context) => new WebArena(context, labBenchmark),
  expert: async (environment) => environment.advise(),
  verdict: async (environment, end) => environment.verdict(end),
  render: (environment, signal) => environment.render(signal),
};

export default webarenaLab;
