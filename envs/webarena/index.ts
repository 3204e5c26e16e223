import type { AsyncContext, AsyncEnvironmentSpec } from "../env.js";
import { browser } from "../shared/browser/requirement.js";
import { WebArena } from "./env.js";
import { OfficialBenchmark } from "./official/benchmark.js";
import { sites, taskFile } from "./official/requirements.js";
import { taskSplits } from "./official/task-files.js";
import { options } from "./options.js";
import { promptFor } from "./prompt.js";
import { publicUrls } from "./tasks/sites.js";
import { tools } from "./tools.js";

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
  render: (environment, signal) => environment.render(signal),
};

export default webarena;
