/** `palestra eval`: from flags to a benchmark run and its reports. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { openAbort } from "../abort.js";
import {
  type Evaluation,
  EvaluationFailed,
  type EvaluationPlan,
  type EvaluationReport,
  evaluate,
} from "../evaluate.js";
import { benchmarks } from "../evaluation/benchmarks.js";
import { parseTasks } from "../evaluation/task-list.js";
import type { GymClient } from "../gym.js";
import { openPolicy, type PolicySettings, policyKinds } from "../policy/policies.js";
import type { Policy } from "../policy/policy.js";
import { evaluationHtml } from "../report/evaluation-html.js";
import { evaluationMarkdown } from "../report/evaluation-markdown.js";
import { EvaluationProgress } from "../report/evaluation-progress.js";
import { figures, lostLines } from "../report/evaluation-text.js";
import { actionFormats } from "../rollout/action-format.js";
import { defaultRetries } from "../rollout/episode-rollout.js";
import { choiceOption, deviceOption, dtypeOption, fractionFrom, orInvalid, parsePair, wholeFrom } from "./arguments.js";
import { defaultLimit, defaultRounds, type EvalFlags, planOf, policySettings } from "./eval-plan.js";
import { defaultGym, openGym } from "./open-gym.js";
import { onStopping } from "./stopping.js";

/** A policy server that has not answered by then is not worth waiting for: the same command goes on later. */
const firstReplyMs = 15_000;

export function addEvalCommand(program: Command): void {
  const command = program.command("eval").description("play a benchmark with any policy, and report");
  addTaskFlags(command);
  addPolicyFlags(command);
  addRunFlags(command);
  command.addHelpText("after", examples).action(runEval);
}

function addTaskFlags(command: Command): void {
  const limit = `play so many tasks at most (default: all, ${defaultLimit} where there is no end)`;
  const rounds = `replies of an episode at most (default: the gym's limit of steps, ${defaultRounds} at most)`;
  command
    .requiredOption("--env <name>", "environment, as `palestra envs` lists it")
    .option("--split <name>", "task split (default: the environment's first)")
    .option("--tasks <list>", "0-99, 3,5,8-10, or a JSON file of indices or AgentGym's item ids", orInvalid(parseTasks))
    .option("--limit <number>", limit, wholeFrom(1))
    .addOption(
      choiceOption("--preset <name>", "round caps and test sets of a published benchmark", [...benchmarks.keys()]),
    )
    .option("--option <name=value>", "how to play, as `palestra envs` lists it; may be repeated", parsePair, {})
    .option("--k <number>", "episodes of each task", wholeFrom(1), 1)
    .option("--rounds <number>", rounds, wholeFrom(1))
    .option("--seed <number>", "all that is random follows from it", wholeFrom(0), 0)
    .option("--by <key>", "entry of an episode's info by which results are broken down");
}

function addPolicyFlags(command: Command): void {
  const policies = [...policyKinds.values()].map(({ usage }) => usage).join(", ");
  const format = "how an action is taken out of a reply (default: react)";
  const dialogue = "how a conversation begins (default: system)";
  command
    .requiredOption("--policy <policy>", policies)
    .addOption(choiceOption("--format <name>", format, [...actionFormats.keys()]))
    .addOption(choiceOption("--dialogue <name>", dialogue, ["system", "agentgym"]))
    .option("--temperature <number>", "of a model (default: the policy's own)", fractionFrom(0))
    .option("--max-tokens <number>", "tokens of a reply", wholeFrom(1), 512)
    .addOption(deviceOption("of a native policy: "))
    .addOption(dtypeOption("of a native policy: "))
    .option("--threads <number>", "of a native policy (default: all that the machine has)", wholeFrom(1, 1024))
    .option("--timeout <seconds>", "how long a policy server may take for a reply", wholeFrom(1, 86_400), 120)
    .option("--price-in <number>", "price of a million tokens read", fractionFrom(0))
    .option("--price-out <number>", "price of a million tokens written", fractionFrom(0));
}

function addRunFlags(command: Command): void {
  const retries = "how often an episode is begun anew after a failure of the machinery";
  const out = "where episodes and reports are kept; a second run there goes on (default: under .palestra)";
  command
    .option("--gym <url>", `gym to play in, or spawn for one of its own (default ${defaultGym}, else spawn)`)
    .addOption(new Option("--agentgym <url>", "AgentGym server to play on").conflicts("gym"))
    .option("--concurrency <number>", "episodes at a time", wholeFrom(1), 64)
    .option("--retries <number>", retries, wholeFrom(0), defaultRetries)
    .option("--out <directory>", out)
    .option("--json", "print the report as JSON", false);
}

const examples = `
Examples:
  palestra eval --env babyai --split GoToRedBallNoDists --policy expert
  palestra eval --env babyai --split GoToLocal --policy native:runs/default/final --format plain --max-tokens 24
  palestra eval --env textcraft --split test --policy openai:http://127.0.0.1:8000/v1#Qwen2.5-7B --k 4
  palestra eval --env textcraft --preset agentgym-rl --tasks textcraft_test.json --policy openai:URL#model

The key of a policy server is read from OPENAI_API_KEY, the token of a gym from GYM_TOKEN.
Exit codes: 0 done, 1 it failed or no episode was played to an end, 2 it was called wrongly, 130 it was cut short.`;

async function runEval(flags: EvalFlags): Promise<void> {
  const stopping = openAbort();
  const close = onStopping(() => stopping.abort(new Error("the run was cut short")));
  // First the policy: one that cannot be opened is refused before a gym is started for it.
  const settings = policySettings(flags);
  const progress = new EvaluationProgress();
  const onRetry = progress.onRetry.bind(progress);
  const policy = await openPolicy(flags.policy, { ...settings, firstReplyMs, onRetry });
  try {
    const gym = await openGym(flags, { expert: flags.policy === "expert" }, (line) => console.error(line));
    try {
      const evaluation = await evaluateWith(flags, {
        ...{ gym: gym.client, policy, settings, progress, onRetry },
        signal: stopping.signal,
      });
      if (!evaluation.report.complete) process.exitCode = 130;
      else if (evaluation.report.summary.episodes === 0) process.exitCode = 1;
    } finally {
      await gym.close();
    }
  } finally {
    await policy.close();
    close();
  }
}

interface EvalRun {
  readonly gym: GymClient;
  readonly policy: Policy;
  readonly settings: PolicySettings;
  readonly progress: EvaluationProgress;
  readonly onRetry: EvaluationProgress["onRetry"];
  readonly signal: AbortSignal;
}

async function evaluateWith(flags: EvalFlags, run: EvalRun): Promise<Evaluation> {
  const { gym, policy, settings, progress, onRetry, signal } = run;
  try {
    const plan = await planOf(flags, gym, settings, policy);
    const directory = flags.out ?? join(".palestra", "evaluations", slug(plan, policy.name));
    progress.start(plan.tasks.length * plan.k);
    const onEpisode = progress.onEpisode.bind(progress);
    const onTurn = progress.onTurn.bind(progress);
    const watched = { gym, policy, directory, signal, onEpisode, onTurn, onRetry };
    const evaluation = await evaluate(plan, watched).catch((error: unknown) => {
      if (error instanceof EvaluationFailed && error.evaluation) writeReports(error.evaluation, directory);
      throw error;
    });
    progress.stop();
    writeReports(evaluation, directory);
    print(evaluation.report, directory, flags.json);
    return evaluation;
  } finally {
    progress.stop();
  }
}

function writeReports(evaluation: Evaluation, directory: string): void {
  const { report } = evaluation;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(directory, "report.md"), evaluationMarkdown(report));
  writeFileSync(join(directory, "report.html"), evaluationHtml(evaluation));
}

function print(report: EvaluationReport, directory: string, json: boolean): void {
  const lost = lostLines(report.summary);
  if (json) {
    for (const line of lost) console.error(line);
    return console.log(JSON.stringify(report, null, 2));
  }
  for (const [name, value] of figures(report.summary)) console.log(`${name.padEnd(14)} ${value}`);
  for (const line of lost) console.log(line);
  for (const note of report.notes) console.log(`note           ${note}`);
  console.log(`report         ${join(directory, "report.html")}`);
}

/** A directory for each thing that is measured, so that the same command goes on where it was. */
function slug({ environment, split, rollout, seed, policySettings, options }: EvaluationPlan, policy: string): string {
  const chosen = { ...policySettings, ...options };
  const parts = [environment, split, policy, rollout.format.name, rollout.maxRounds, seed, ...Object.values(chosen)];
  return parts
    .join("-")
    .replace(/[^A-Za-z0-9@._-]+/g, "-")
    .slice(0, 200);
}
