/** `palestra eval`: runs a benchmark and writes its reports. */

import { basename, join } from "node:path";
import { type Command, Option } from "commander";
import { onStopping, openAbort } from "../../../trainer/abort.js";
import { TrainerError } from "../../../trainer/errors.js";
import { benchmark, benchmarks, environmentsOf } from "../../../trainer/evaluation/benchmarks.js";
import type { EvaluationPlan, EvaluationReport } from "../../../trainer/evaluation/evaluate.js";
import { TaskLists } from "../../../trainer/evaluation/task-list.js";
import { defaultGym, type GymPlace, openGym } from "../../../trainer/gym/open-gym.js";
import { openPolicy, policyKinds } from "../../../trainer/policy/policies.js";
import type { Policy } from "../../../trainer/policy/policy.js";
import { EvaluationProgress } from "../../../trainer/report/evaluation/evaluation-progress.js";
import {
  diagnosisFigures,
  figures,
  lostLines,
  roundsFigures,
  seatFigures,
} from "../../../trainer/report/evaluation/evaluation-text.js";
import { suiteLines } from "../../../trainer/report/evaluation/suite-text.js";
import { defaultRetries } from "../../../trainer/rollout/episode-rollout.js";
import { actionFormatNames } from "../../formats/actions/action-formats.js";
import { choiceOption, collected, fractionFrom, parseOption, wholeFrom, wholesFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";
import { deviceOption, dtypeOption } from "../training/engine-options.js";
import { compareStored } from "../training/eval-compare.js";
import { defaultLimit, defaultRounds, type EvalFlags, planOf, policySettings } from "../training/eval-plan.js";
import { type EvalRun, folderName, playPlan } from "../training/eval-run.js";
import { evaluateSuite } from "../training/eval-suite.js";
import { commandLineOf } from "../training/run-origin.js";

/**
 * Time limit, in milliseconds, for the first successful request to a policy server. After a failure, the same command
 * continues the evaluation.
 */
const firstReplyMs = 15_000;

const failed = 1;
const stopped = 130;

/** Place of the gym, and the folders in which `--compare` looks for evaluations. */
export type EvalPlace = GymPlace & { readonly runs?: readonly string[] };

type Flags = Omit<EvalFlags, "policy"> & {
  policy?: string;
  compare?: string[];
  byRounds?: string[];
  transfer?: string[];
  checkpoint?: "final" | "best";
};

export function addEvalCommand(program: Command, place: EvalPlace): void {
  const description = "run a benchmark with any policy and write a report, or compare two evaluations";
  const command = program.command("eval").description(description);
  addTaskFlags(command);
  addPolicyFlags(command);
  addRunFlags(command);
  command.action(async ({ policy, compare, byRounds, transfer, checkpoint = "final", ...flags }: Flags) => {
    const stored = { roots: place.runs ?? [], out: flags.out, json: flags.json, command: commandLineOf(command) };
    if (compare) {
      expectAlone(command, "compare", ["json"]);
      return compareStored(compare, place.runs ?? [], flags.json);
    }
    if (byRounds) {
      expectAlone(command, "byRounds", ["out", "json"]);
      const { showRounds } = await import("../training/eval-rounds.js");
      return showRounds(byRounds, stored);
    }
    if (transfer) {
      expectAlone(command, "transfer", transferFlags);
      const { runTransfer } = await import("../training/eval-transfer.js");
      return runTransfer(transfer, { ...stored, checkpoint, flags, place });
    }
    if (policy === undefined) return command.error("error: required option '--policy <policy>' not specified");
    return runEval({ ...flags, policy }, place);
  });
  guide(command, "trainer/README.md#evaluate", examples, notes);
}

function addTaskFlags(command: Command): void {
  const limit = `most tasks to play (default: all; ${defaultLimit} if the split is endless)`;
  const rounds = `most replies in an episode (default: the gym's step limit, at most ${defaultRounds}); 5,10,20: success within each`;
  const preset = "round caps and test sets of a published benchmark; without --env: all of its environments";
  const tasks =
    "tasks: 0-99; 3,5,8-10; a JSON file of indices or AgentGym's item ids; NAME=FILE; or a folder of NAME/NAME_test.json";
  command
    .optionsGroup("Tasks:")
    .option("--env <names>", "environments, as `palestra envs` lists them: one, or several with commas", collectNames)
    .option("--split <name>", "task split (default: the environment's first)")
    .option("--tasks <list>", tasks, collected, [])
    .option("--limit <number>", limit, wholeFrom(1))
    .addOption(choiceOption("--preset <name>", preset, [...benchmarks.keys()]))
    .option(
      "--option <name=value>",
      "option of the environment, as `palestra envs` lists it; may be repeated",
      parseOption,
      {},
    )
    .option("--k <number>", "episodes of each task", wholeFrom(1), 1)
    .option("--rounds <numbers>", rounds, wholesFrom(1))
    .option("--seed <number>", "seed of every random choice", wholeFrom(0), 0)
    .option("--by <key>", "key of an episode's info by which results are grouped");
}

/** Collects the names of a flag that accepts a comma-separated list and may be repeated. */
function collectNames(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(",").map((name) => name.trim())].filter((name) => name !== "");
}

function addPolicyFlags(command: Command): void {
  const policies = [...policyKinds.values()].map(({ usage }) => usage).join(", ");
  const format = "format in which a reply states its action (default: react)";
  const dialogue = "form of the first messages (default: system)";
  command
    .optionsGroup("Policy:")
    .option("--policy <policy>", policies)
    .option("--partner <policy>", "several players: policy of the other seats (default: --policy plays all seats)")
    .option(
      "--seats <names>",
      "several players: seats that --policy plays beside --partner, in turn (default: all)",
      collectNames,
    )
    .addOption(choiceOption("--format <name>", format, actionFormatNames))
    .addOption(choiceOption("--dialogue <name>", dialogue, ["system", "agentgym"]))
    .option("--temperature <number>", "of a model (default: the policy's own)", fractionFrom(0))
    .option("--max-tokens <number>", "maximum number of tokens in a reply", wholeFrom(1), 512)
    .addOption(deviceOption("native policy: "))
    .addOption(dtypeOption("native policy: "))
    .option(
      "--threads <number>",
      "native policy: number of threads (default: all threads of the machine)",
      wholeFrom(1, 1024),
    )
    .option("--prompt-examples <file>", "worked examples in the instructions: prompt-examples.json of a training run")
    .option("--timeout <seconds>", "timeout of a policy server's reply", wholeFrom(1, 86_400), 120)
    .option("--price-in <number>", "price of a million tokens read", fractionFrom(0))
    .option("--price-out <number>", "price of a million tokens written", fractionFrom(0));
}

function addRunFlags(command: Command): void {
  const retries = "most retries of an episode after a failure of the gym or the policy";
  const out =
    "folder for episodes and reports; a second run there continues the first (default: a folder under .palestra)";
  const compare = "play nothing, and compare two evaluations by their folders or names: A B";
  const byRounds = "play nothing, and draw success by rounds of evaluations in one picture";
  const transfer = "evaluate the models of training runs on the held-out tasks of each of these runs: a matrix";
  command
    .optionsGroup("Run:")
    .option("--gym <url>", `URL of a gym, or spawn to start one (default: ${defaultGym}, else spawn)`)
    .addOption(new Option("--agentgym <url>", "URL of an AgentGym server to use instead of a gym").conflicts("gym"))
    .option("--concurrency <number>", "maximum number of episodes in flight", wholeFrom(1), 64)
    .option("--retries <number>", retries, wholeFrom(0), defaultRetries)
    .option("--out <directory>", out)
    .option("--compare <evaluations...>", compare)
    .option("--by-rounds <evaluations...>", byRounds)
    .option("--transfer <runs...>", transfer)
    .addOption(
      choiceOption("--checkpoint <name>", "model of each run of --transfer (default: final)", ["final", "best"]),
    )
    .option("--json", "print the report or the comparison as JSON", false);
}

const examples = {
  "palestra eval --env textcraft --split test --policy openai:http://127.0.0.1:8000/v1#Qwen2.5-7B --k 4":
    "Evaluate a model server, with four episodes of each task",
  "palestra eval --env babyai --split GoToLocal --policy native:runs/default/final --format plain --max-tokens 24":
    "Evaluate a trained model",
  "palestra eval --preset agentgym-rl --tasks AgentEval --policy openai:http://127.0.0.1:8000/v1#Qwen2.5-7B":
    "Run a published benchmark",
  "palestra eval --compare before after": "List the tasks that broke between two evaluations",
  "palestra eval --by-rounds untrained trained": "Draw the success of two evaluations by rounds",
  "palestra eval --transfer runs/textcraft runs/babyai":
    "Test the model of each run on the held-out tasks of the other",
};

const notes = `The key of a policy server is read from OPENAI_API_KEY, the token of a gym from GYM_TOKEN.
Exit code 1 also means that no episode was played to its end.`;

/** Flags that may stand beside `--transfer`. */
const transferFlags = [
  ...["checkpoint", "limit", "out", "json", "gym", "concurrency", "retries", "seed", "device", "dtype", "threads"],
];

/** Refuses other flags beside one that plays no benchmark. @param allowed names of the flags that it reads @throws {TrainerError} */
function expectAlone(command: Command, flag: string, allowed: readonly string[]): void {
  const given = command.options
    .map((option) => ({ long: option.long, name: option.attributeName() }))
    .filter(({ name }) => command.getOptionValueSource(name) === "cli");
  const own = given.find(({ name }) => name === flag)?.long;
  // The policy is told first, since it contradicts the flag the most.
  const others = given.filter(({ name }) => name !== flag && !allowed.includes(name));
  const other = others.find(({ name }) => name === "policy") ?? others[0];
  if (!other) return;
  const names = allowed.map((name) => command.options.find((option) => option.attributeName() === name)?.long);
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected ${own} with no flag but ${names.join(", ")}, but received ${other.long}`,
  );
}

async function runEval(flags: EvalFlags, place: GymPlace): Promise<void> {
  const environments = environmentsToPlay(flags);
  if (flags.seats && flags.partner === undefined)
    throw new TrainerError("ARGUMENT_INVALID", "expected --partner POLICY with --seats, but received --seats alone.");
  const tasks = TaskLists.parse(flags.tasks);
  tasks.expectFor(environments.map((name) => name.replace(/@.*/, "")));
  const stopping = openAbort();
  const close = onStopping(() => stopping.abort(new Error("the run was stopped")));
  // The policy is opened first, so a wrong policy is refused before a gym is started.
  const settings = policySettings(flags);
  const progress = new EvaluationProgress();
  const onRetry = progress.onRetry.bind(progress);
  const opened = { ...settings, firstReplyMs, onRetry };
  const policy = await openPolicy(flags.policy, opened);
  let partner: Policy | undefined;
  try {
    partner = flags.partner === undefined ? undefined : await openPolicy(flags.partner, opened);
    const expert = [flags.policy, flags.partner].includes("expert");
    const gym = await openGym(flags, place, { expert }, (line) => console.error(line));
    try {
      const run = { flags, tasks, gym: gym.client, policy, partner, settings, progress, signal: stopping.signal };
      process.exitCode =
        environments.length === 1 ? await runOne(environments[0] as string, run) : await runSuite(environments, run);
    } finally {
      await gym.close();
    }
  } finally {
    await policy.close();
    await partner?.close();
    close();
  }
}

/**
 * Returns the names of the environments. @throws {TrainerError} no environment is named, or a flag for a single
 * environment is given with several environments
 */
function environmentsToPlay(flags: EvalFlags): string[] {
  const { env, preset } = flags;
  if (env === undefined && preset === undefined) {
    throw new TrainerError(
      "ARGUMENT_INVALID",
      "expected --env NAME, or --preset NAME for all of its environments, but received neither",
    );
  }
  const environments = [...new Set(env ?? environmentsOf(preset as string))];
  if (preset !== undefined) for (const name of environments) benchmark(preset, name);
  if (environments.length === 1) return environments;
  const given = [
    flags.split !== undefined && "--split",
    flags.by !== undefined && "--by",
    flags.agentgym !== undefined && "--agentgym",
    Object.keys(flags.option).length > 0 && "--option",
  ].find((name) => name !== false);
  if (given === undefined) return environments;
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected one environment with ${given}, but received ${environments.join(", ")}. Name one with --env.`,
  );
}

async function runOne(environment: string, run: EvalRun): Promise<number> {
  const { flags, policy } = run;
  const plan = await planOf({ ...run, environment });
  const directory = flags.out ?? join(".palestra", "evaluations", slug(plan, policy.name));
  run.gym.label?.({ run: basename(directory), policy: policy.name });
  const { report } = await playPlan(plan, directory, run);
  print(report, directory, flags.json);
  if (!report.complete) return stopped;
  return report.summary.episodes === 0 ? failed : 0;
}

async function runSuite(environments: readonly string[], run: EvalRun): Promise<number> {
  run.gym.label?.({ policy: run.policy.name, ...(run.flags.out !== undefined && { run: basename(run.flags.out) }) });
  const { report, directory } = await evaluateSuite(environments, run);
  if (run.flags.json) console.log(JSON.stringify(report, null, 2));
  else for (const line of [...suiteLines(report), `report: ${join(directory, "report.html")}`]) console.log(line);
  if (run.signal.aborted) return stopped;
  return report.complete && report.overall ? 0 : failed;
}

function print(report: EvaluationReport, directory: string, json: boolean): void {
  const lost = lostLines(report.summary);
  if (json) {
    for (const line of lost) console.error(line);
    return console.log(JSON.stringify(report, null, 2));
  }
  for (const [name, value] of figures(report.summary)) console.log(`${name.padEnd(14)} ${value}`);
  const others = [...seatFigures(report.summary), ...roundsFigures(report), ...diagnosisFigures(report)];
  for (const [name, value] of others) {
    console.log(`${name.padEnd(14)} ${value}`);
  }
  for (const line of lost) console.log(line);
  for (const note of report.notes) console.log(`note           ${note}`);
  console.log(`report         ${join(directory, "report.html")}`);
}

/** Returns the name of a measurement's folder. The same command gets the same folder and continues in it. */
function slug({ environment, split, rollout, seed, policySettings, options }: EvaluationPlan, policy: string): string {
  const chosen = { ...policySettings, ...options };
  return folderName([
    ...[environment, split, policy, rollout.format.name, rollout.maxRounds, seed],
    ...Object.values(chosen),
  ]);
}
