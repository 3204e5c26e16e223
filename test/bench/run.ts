/** `npm run bench -- NAME [--json]`: one bench, one object. */
import { Command } from "commander";
import { babyai } from "./babyai.js";
import { memory } from "./memory.js";
import { type BenchResult, report, table } from "./report.js";
import { steps } from "./steps.js";

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

bench("memory", "resident memory of a live episode", (options: { episodes: number }) => memory(options)).option(
  "--episodes <count>",
  "live episodes",
  Number,
  10_000,
);

bench("babyai", "text steps of BabyAI on one thread", (options: { peer?: string; python: string; rounds: number }) =>
  babyai(options),
)
  .option("--peer <folder>", "agentenv-babyai of AgentGym, to measure beside ours")
  .option("--python <program>", "with minigrid 2.3 and gymnasium", "python3")
  .option("--rounds <count>", "how often each is measured", Number, 5);

await program.parseAsync();
