/** `npm run bench -- NAME [--json]`: one bench, one object. */
import { Command } from "commander";
import { asyncBench } from "./async.js";
import { babyai } from "./babyai.js";
import { type DayOptions, day } from "./day.js";
import { type FleetOptions, fleet } from "./fleet.js";
import { type FleetChaosOptions, fleetChaos } from "./fleet-chaos.js";
import { type FleetModelOptions, fleetModel } from "./fleet-model.js";
import { type FloodOptions, flood } from "./flood.js";
import { grammarBench } from "./grammar.js";
import { type ListsOptions, lists } from "./lists.js";
import { logBench } from "./log.js";
import { memory } from "./memory.js";
import { native } from "./native.js";
import { type ProtocolsOptions, protocols } from "./protocols.js";
import { type BenchResult, report, table } from "./report.js";
import { sandboxesBench } from "./sandboxes.js";
import { scalingInterBench } from "./scaling-inter.js";
import { sciworld } from "./sciworld.js";
import { sciworldExpert } from "./sciworld-expert.js";
import { type SearchOptions, search } from "./search.js";
import { type SharedPromptsOptions, sharedPrompts } from "./shared-prompts.js";
import { type StartOptions, start } from "./start.js";
import { steps } from "./steps.js";
import { studio } from "./studio.js";
import { type VerifiersOptions, verifiers } from "./verifiers.js";
import { type WatchingOptions, watching } from "./watching.js";
import { webarenaBench } from "./webarena.js";

const program = new Command("bench").description("measure, in one run, ours against what it is compared with");

function bench(name: string, description: string, run: (options: never) => Promise<BenchResult[]>): Command {
  return program
    .command(name)
    .description(description)
    .option("--json", "print one JSON object", false)
    .action(async (options: { json: boolean }) => {
      const measured = report(name, await run(options as never));
      console.log(options.json ? JSON.stringify(measured, null, 2) : table(measured));
    });
}

bench(
  "steps",
  "steps a second over HTTP and WebSocket",
  (options: { peer?: string; rounds: number; seconds: number }) => steps(options),
)
  .option("--peer <url>", "an AgentGym TextCraft server to measure beside ours")
  .option("--rounds <count>", "how often each is measured", Number, 5)
  .option("--seconds <count>", "how long each time", Number, 3);

bench("start", "CPU time, memory and modules of the program's start", (options: StartOptions) => start(options))
  .option("--before <folder>", "another built checkout to measure in turns with this one")
  .option("--rounds <count>", "how often each is measured; the median counts", Number, 5);

bench(
  "protocols",
  "steps a second of each protocol, against its own server with an environment that echoes",
  (options: ProtocolsOptions) => protocols(options),
)
  .option("--rounds <count>", "how often each is measured", Number, 3)
  .option("--seconds <count>", "how long each time", Number, 3);

bench("verifiers", "answers scored a second, and queries of sql", (options: VerifiersOptions) => verifiers(options))
  .option("--rounds <count>", "how often each is measured", Number, 3)
  .option("--seconds <count>", "how long each time", Number, 3);

bench(
  "fleet",
  "one gym on PostgreSQL against SQLite, forwarded against local steps, and one to three gyms",
  (options: FleetOptions) => fleet(options),
)
  .option("--rounds <count>", "how often each is measured", Number, 5)
  .option("--seconds <count>", "how long each time", Number, 3);

bench("fleet-model", "a simulation of large fleets, with measured costs", (options: FleetModelOptions) =>
  fleetModel(options),
)
  .option("--costs <file>", "costs that --save-costs has written; the bench then measures nothing")
  .option("--save-costs <file>", "where the measured costs are written")
  .option("--episodes <counts>", "concurrent episodes, separated by commas", "100000,1000000")
  .option("--think <seconds>", "mean time between two steps of an episode", Number, 10)
  .option("--steps <count>", "steps of an episode", Number, 30)
  .option("--kill-every <seconds>", "time between two kills of a random gym", Number, 30)
  .option("--failover <seconds>", "length of the fail-over of PostgreSQL", Number, 5)
  .option("--seconds <count>", "how long each load is measured", Number, 5)
  .option("--seed <number>", "seed of the simulations", Number, 26);
bench(
  "fleet-chaos",
  "a fleet whose gyms, connections and database fail while clients play",
  (options: FleetChaosOptions) => fleetChaos(options),
)
  .option("--episodes <count>", "episodes of all clients", Number, 600)
  .option("--agentgym <count>", "episodes of these that are played over AgentGym's protocol", Number, 60)
  .option("--kills <count>", "times that a gym is killed", Number, 20)
  .option("--freezes <count>", "times that a gym is frozen for 30 seconds", Number, 10)
  .option("--seed <number>", "of the episodes and the faults", Number, 26);

bench("flood", "latency and memory of the gym while clients without a token attack it", (options: FloodOptions) =>
  flood(options),
)
  .option("--only <names>", "attacks to perform, separated by commas; all without it")
  .option("--seconds <count>", "how long each attack takes", Number, 10);

bench("memory", "resident memory of a live episode", (options: { episodes: number }) => memory(options)).option(
  "--episodes <count>",
  "live episodes",
  Number,
  10_000,
);

bench("day", "memory, descriptors and latency over the steps of a day", (options: DayOptions) => day(options))
  .option("--steps <count>", "steps of the day, by default 200 a second", Number, 17_280_000)
  .option("--log-mb <size>", "MiB of the log above which the gym removes the oldest episodes", Number, 1_024);
bench("log", "bytes of the log per step, and its writes a second", async (options: { steps: number }) =>
  logBench(options),
).option("--steps <count>", "steps that are written for each measurement", Number, 131_072);

bench("lists", "pages of the list of episodes from a log of a million", (options: ListsOptions) => lists(options))
  .option("--episodes <count>", "episodes in the log", Number, 1_000_000)
  .option("--rounds <count>", "how often each page is asked for; the median counts", Number, 20);

bench("studio", "first paint, scrolling and memory of the studio in Chromium", studio);

bench("watching", "the cost of watching a training run", (options: WatchingOptions) => watching(options))
  .option("--rounds <count>", "rounds of a period with a watcher and one without", Number, 30)
  .option("--seconds <count>", "how long each period takes", Number, 5)
  .option("--browser", "let the studio's page watch in Chromium, too", false);

bench("babyai", "the engine and the text layer against the original Python", babyai)
  .option("--python <path>", "a Python with PyPI minigrid, below 2.5.0 where --agentgym is given")
  .option("--agentgym <dir>", "AgentGym's folder agentenv-babyai, for its text layer")
  .option("--peer <url>", "an AgentGym BabyAI server to measure beside ours")
  .option("--seconds <count>", "how long each is measured", Number, 2);

bench("sciworld", "the native engine against the original in a JVM, and its memory", sciworld)
  .option("--episodes <count>", "live episodes", Number, 1_000)
  .option("--seconds <count>", "how long each engine is measured on each task", Number, 4);

bench("grammar", "sampling under a grammar beside sampling without one", grammarBench)
  .requiredOption("--model <path>", "a model with its tokenizer: a folder in Hugging Face's layout, or a GGUF file")
  .option("--tokens <count>", "sampled tokens of each sequence", Number, 128)
  .option("--rounds <count>", "how often each is measured, in turns; the best counts", Number, 3);

bench("native", "the engine against OpenBLAS, PyTorch and llama.cpp", native)
  .option(
    "--python <path>",
    "a Python with numpy, torch, transformers, gguf and llama-cpp-python, to measure beside ours",
    "python3",
  )
  .option("--rounds <count>", "how often each is measured, in turns; the best counts", Number, 3);

bench(
  "shared-prompts",
  "the train step of a group that shares its prompt, against one in which each rollout repeats it",
  (options: SharedPromptsOptions) => sharedPrompts(options),
)
  .requiredOption("--model <path>", "a folder in Hugging Face's layout, or a GGUF file")
  .option("--dtype <type>", "f32, bf16, or auto: bf16 on processors that multiply it", "auto")
  .option("--rollouts <count>", "rollouts of the group", Number, 8)
  .option("--shared <count>", "tokens of the prompt", Number, 600)
  .option("--own <count>", "tokens of each rollout after the prompt", Number, 150)
  .option("--rounds <count>", "how often each is measured, in turns; the best counts", Number, 2);

bench("async", "asynchronous training against synchronous, where environments have a long tail", asyncBench)
  .option("--seeds <count>", "runs of each kind", Number, 3)
  .option("--steps <count>", "train steps of a run", Number, 40)
  .option("--threads <count>", "of the engine; 0: all that the machine has", Number, 0)
  .option("--quick", "a smoke test of a few minutes, whose figures mean nothing", false);

bench("scaling-inter", "ScalingInter against a fixed long and a fixed short horizon", scalingInterBench)
  .option("--seeds <count>", "runs of each kind", Number, 3)
  .option("--steps <count>", "train steps of a run", Number, 60)
  .option("--threads <count>", "of the engine; 0: all that the machine has", Number, 0)
  .option("--output <folder>", "where curves.json and report.html are written", ".palestra/bench/scaling-inter")
  .option("--quick", "a smoke test of a few minutes, whose figures mean nothing", false);

bench("sandboxes", "how fast sandboxes of each kind are ready", sandboxesBench)
  .option("--rounds <count>", "how often each is measured", Number, 40)
  .option("--most <count>", "containers that are to live at once", Number, 64);

bench("webarena", "episodes on the bundled web sites, against the bare browser", webarenaBench)
  .option("--tasks <count>", "tasks that are played, one after the other", Number, 24)
  .option("--parallel <count>", "episodes at the same time", Number, 16);

bench("search", "the embedded index against Lucene: building, searching, recall", (options: SearchOptions) =>
  search(options),
)
  .option("--passages <count>", "passages of the large corpus", Number, 1_000_000)
  .option("--queries <count>", "queries that are timed, at most", Number, 2_000)
  .option("--questions <count>", "bundled questions that are asked, at most", Number, 2_000)
  .option("--java <path>", "Java 11 or newer", "java")
  .option(
    "--lucene <dir>",
    "a folder with Lucene's jars lucene-core and lucene-analysis-common, to measure it beside ours",
  );

bench("sciworld-expert", "what the expert of ScienceWorld solves, task by task", sciworldExpert).option(
  "--variations <count>",
  "of each task, evenly apart",
  Number,
  20,
);

await program.parseAsync();
