import type { AsyncContext, AsyncEnvironmentSpec } from "../env.js";
import { browser } from "../shared/browser/requirement.js";
import { WebArena } from "../shared/web-tasks/env.js";
import { options } from "../shared/web-tasks/options.js";
import { promptFor } from "../shared/web-tasks/prompt.js";
import { publicUrls } from "../shared/web-tasks/tasks/sites.js";
import { tools } from "../shared/web-tasks/tools.js";
import { OfficialBenchmark } from "./benchmark.js";
import { sites, taskFile } from "./requirements.js";
import { taskSplits } from "./task-files.js";

type Sandboxes = AsyncContext["sandboxes"];

/** The benchmark for each set of sandboxes, so that all episodes of a process share the sites. */
const benchmarks = new WeakMap<Sandboxes, OfficialBenchmark>();

function benchmarkOn(sandboxes: Sandboxes): OfficialBenchmark {
  const known = benchmarks.get(sandboxes) ?? new OfficialBenchmark(sandboxes.machines);
  benchmarks.set(sandboxes, known);
  return known;
}

const webarena: AsyncEnvironmentSpec<WebArena> = {
  isAsync: true,
  id: "webarena",
  version: 2,
  summary: "The WebArena benchmark on its own web sites, which the gym runs in containers or finds elsewhere.",
  splits: taskSplits(),
  options,
  maxSteps: 30,
  rewardRange: [0, 1],
  familyKey: "site",
  prompt: promptFor(`The sites go by these names: ${Object.values(publicUrls).join(", ")}.`),
  tools,
  requirements: [browser, taskFile, sites],
  // Sites show the current time and keep changes that other episodes have made.
  restore: "none",
  // A site may have to be rebuilt first, and the evaluators may ask an LLM judge at the end.
  deadlineMs: 1_800_000,
  create: (context) => new WebArena(context, benchmarkOn(context.sharedSandboxes ?? context.sandboxes)),
  verdict: async (environment, end) => environment.verdict(end),
  render: (environment, signal) => environment.render(signal),
};

export default webarena;
