#!/usr/bin/env node
/** The program `palestra`. Exit codes: 0 success, 1 failure or failed checks, 2 wrong usage. */
import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Internet, Options, SetUpChoices, TaskRef } from "../envs/env.js";
import { TaskOutOfRange, UnknownEnvironment, UnknownOption, UnknownSplit, UnusableModule } from "../envs/errors.js";
import { checkTask, defaultSplit, fillOptions, Registry } from "../envs/registry.js";
import { SandboxError, type Sandboxes } from "../sandboxes/sandbox.js";
import { parseOption, parseTask, wholeFrom } from "./commands/arguments.js";
import { CheckRefused, check, type SandboxKind, sandboxKinds } from "./commands/check.js";
import { envs } from "./commands/envs.js";
import { addIndexCommands } from "./commands/index.js";
import { addLogCommands } from "./commands/log.js";
import { play } from "./commands/play.js";
import { installables, setup } from "./commands/setup.js";
import { addTokenCommands } from "./commands/token.js";
import { runTrainer } from "./commands/trainer.js";
import { type Config, ConfigError, highestPort, loadConfig, mostHosts, type Settings } from "./config.js";
import { didYouMean } from "./did-you-mean.js";
import { GymError, shown } from "./errors.js";
import { OperatorError } from "./operator-error.js";
import { openSandboxes } from "./sandboxes.js";
import { version } from "./version.js";

const misused = 2;

interface CheckOptions {
  all: boolean;
  json: boolean;
  /** Number of tasks of each split. */
  episodes: number;
  /** Time limit of a check, in seconds. */
  deadline: number;
  sandbox?: SandboxKind;
}

const program = new Command("palestra")
  .description("A self-hosted gym for LLM agents: many environments behind one step protocol.")
  .version(version)
  .option("--config <file>", "JSON file of settings")
  .addOption(new Option("--data-dir <path>", "directory of the episode log and the tokens"))
  .addOption(
    new Option("--environment-module <path>", "module with your own environments; may be repeated").argParser(
      (path: string, before: string[] = []) => [...before, path],
    ),
  )
  .option("--tasks <file>", "JSONL file of tasks, each with a prompt, as an environment of your own", collected)
  .option("--tools <file>", "JSON file with a list of tools for those tasks", collected)
  .option(
    "--reward <file>",
    "reward for their answers: a function in JavaScript or Python, or ready-made pieces as JSON",
    collected,
  )
  .exitOverride()
  .configureOutput({
    outputError(text) {
      const inOneLine = text
        .replace(/^error: /, "")
        .trim()
        .replace(/\s*\n\s*/g, " ");
      complain(`${inOneLine} (--help lists the options)`, misused);
    },
  })
  .addHelpText(
    "after",
    `
Examples:
  palestra serve --port 9000           serve the gym on this machine
  palestra ui                          open the studio: see, play, fork and compare episodes
  palestra play textcraft --task test:3   play an episode by hand
  palestra check --all --json          run the conformance suite
  palestra setup sciworld-jvm          install ScienceWorld's own simulator, for sciworld@jvm
  palestra setup images                build the image of containers
  palestra setup desktop               build the image of desktops, for desktop
  palestra setup browser               find or install Chromium, for environments with web pages
  palestra setup tasks ./my-tasks      add tasks in Harbor's format, for workbench
  palestra train                       train a small model on this machine
  palestra eval --env textcraft --split test --policy random   play a benchmark
  palestra export runs/my-eval --format openai --out chats.jsonl   write episodes as training data
  palestra synth --bundled --out q.jsonl   write search questions with answers and proofs
  palestra token create --name ada     create a token for a user on another machine

Every setting can also be an environment variable (PALESTRA_HOSTS_COUNT=4) or an entry of the --config file
({"hosts": {"count": 4}}). Flags override variables, and variables override the file.`,
  );

servingCommand("serve", "serve the gym over HTTP and WebSocket until SIGTERM").action(async (flags: ServeFlags) => {
  // The server module is loaded on demand, since loading takes half a second and other commands do not need the server.
  const { serve } = await import("./main.js");
  await serve(servedConfig(flags));
});

servingCommand("ui", "open the studio in a browser; serve the gym first if none runs with this data directory")
  .option("--no-open", "print the URL of the studio, and open no browser")
  .action(async ({ open, ...flags }: ServeFlags & { open: boolean }) => {
    const { ui } = await import("./commands/ui.js");
    await ui(servedConfig(flags), open);
  });

program
  .command("envs")
  .description("list the environments and their requirements")
  .option("--json", "print JSON", false)
  .action(async (options: { json: boolean }) => envs(await registry(), options));

program
  .command("setup [name] [from]")
  .description("install requirements that are not part of Palestra; without a name, list them")
  .option("--jar <path>", "path of your own jar, used instead of the published jar")
  .option("--as <name>", "name of the split for the tasks (default: the name of their folder)")
  .addOption(
    new Option(
      "--internet <kind>",
      "network of tasks that require open network access (default: such tasks are refused)",
    ).choices(["none", "http"] satisfies Internet[]),
  )
  .option("--source <source>", "pages to search for answers: bundled, index:NAME, retrieve:URL or opensearch:URL/ALIAS")
  .action(async (name: string | undefined, path: string | undefined, options: SetUpChoices & { jar?: string }) => {
    const { jar, ...choices } = options;
    const from = jar ?? path;
    const known = installables(await registry(), config());
    if (name === undefined) return console.log([...known.keys()].join("\n"));
    const installable = known.get(name);
    if (installable) return setup(name, installable, { ...choices, ...(from !== undefined && { from }) });
    const received = `${shown(name)}${didYouMean(name, known.keys())}`;
    throw new InvalidArgumentError(`expected one of ${[...known.keys()].join(", ")}, but received ${received}`);
  });

program
  .command("check [env...]")
  .description("run the conformance suite on environments, or on a kind of sandbox")
  .option("--all", "check every environment", false)
  .addOption(
    new Option("--sandbox <kind>", "check sandboxes of this kind instead of environments").choices(sandboxKinds),
  )
  .option("--json", "print the JSON object {passed, failed, skipped, results}", false)
  .option("--episodes <count>", "number of tasks played in each split", wholeFrom(1, 1_000), 4)
  .option("--deadline <seconds>", "time limit of a check", wholeFrom(1, 86_400), 600)
  .action(async (names: string[], { all, json, episodes, deadline, sandbox }: CheckOptions) => {
    if (sandbox !== undefined) {
      if (names.length > 0 || all)
        throw new InvalidArgumentError("expected either --sandbox or environments, but received both");
      const { checkSandboxes } = await import("./commands/check-sandbox.js");
      if ((await checkSandboxes(sandbox, config(), { json })) > 0) process.exitCode = 1;
      return;
    }
    if (names.length === 0 && !all)
      throw new InvalidArgumentError("expected an environment, --all or --sandbox, but received no argument");
    const { failed, isStuck } = await check(config(), names, { json, episodes, deadlineMs: deadline * 1_000 });
    if (failed > 0) process.exitCode = 1;
    // An ordinary exit would wait for every thread to end.
    if (isStuck) process.kill(process.pid, "SIGKILL");
  });

program
  .command("play <env>")
  .description("play an episode in the terminal")
  .option("--task <split:index>", "task to play (default: the first of the first split)", parseTask)
  .option("--seed <number>", "seed of the episode", wholeFrom(0), 0)
  .option("--option <name=value>", "option of the environment, see `palestra envs`; may be repeated", parseOption, {})
  .option("--max-steps <number>", "number of steps after which the episode is truncated", wholeFrom(1))
  .option("--picture", "show a picture of every state, if the environment draws pictures", false)
  .option("--json", "print the transcript as JSON at the end", false)
  .action(async (name: string, { option, ...rest }: PlayFlags) => {
    const spec = (await registry()).get(name);
    const task = rest.task ?? { split: defaultSplit(spec), index: 0 };
    const options = { ...rest, task: checkTask(spec, task), options: fillOptions(spec, option) };
    await withSandboxes((sandboxes) => play(spec, sandboxes, options));
  });

program
  .command("synth")
  .description("write questions with answers, proofs and plans as JSON lines")
  .option("--bundled", "about the bundled graph of public facts", false)
  .option("--pages <file>", "about your own pages, as JSON lines {id, title, text, links?}; needs --model")
  .option("--model <URL#model>", "OpenAI-compatible endpoint and model; OPENAI_API_KEY is its key")
  .option("--count <number>", "number of questions to keep, with --pages", wholeFrom(1), 100)
  .option("--concurrency <number>", "number of attempts in flight, with --pages", wholeFrom(1, 256), 4)
  .option("--seed <number>", "seed of the questions", wholeFrom(0), 0)
  .requiredOption("--out <file>", "file to write; with --pages, a second run resumes the first")
  .action(async ({ bundled, pages, model, ...options }: SynthFlags) => {
    if (bundled === (pages !== undefined))
      throw new InvalidArgumentError(
        `expected either --bundled or --pages, but received ${bundled ? "both" : "neither"}`,
      );
    const { synthBundled, synthOwn } = await import("./commands/synth.js");
    if (pages === undefined) return synthBundled(options);
    if (!/^https?:\/\/[^#\s]+#\S+$/.test(model ?? "")) {
      const received = model === undefined ? "no --model" : shown(model);
      throw new InvalidArgumentError(`expected --model URL#model, but received ${received}`);
    }
    await synthOwn({ ...options, pages, model: model as string });
  });

const trainerCommands = [
  ["train", "train a model on episodes (default: a small model on the CPU)"],
  ["eval", "play a benchmark with any policy, and write a report"],
  ["export", "write episodes as training data (chats, steps, preference pairs), or as files to read"],
  ["ask", "let a model answer a question by searching, and show its steps"],
  ["endpoint", "serve a model to agents over OpenAI's API"],
] as const;

for (const [name, description] of trainerCommands) {
  program
    .command(name)
    .description(description)
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      // The trainer parses its own arguments.
      process.exitCode = await runTrainer(process.argv.slice(process.argv.indexOf(name)), withoutOwnTasks().dataDir);
    });
}

addIndexCommands(program);

addTokenCommands(program, () => config().dataDir);
addLogCommands(program, () => config().dataDir);

type ServeFlags = Record<"host" | "port" | "auth" | "hosts" | "logLevel", string | number | undefined> & {
  runs?: string[];
};

/** Adds a command that may serve the gym. */
function servingCommand(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option(
      "--host <address>",
      "address to listen on; on other than loopback, callers need a token (default 127.0.0.1)",
    )
    .option("--port <number>", "port to listen on (default 8700)", wholeFrom(0, highestPort))
    .option("--auth <mode>", "auto, required or off")
    .option("--hosts <count>", "worker threads that run environments", wholeFrom(1, mostHosts))
    .option("--runs <folder>", "folder of training runs and evaluations to show; may be repeated", collected)
    .option("--log-level <level>", "fatal, error, warn, info, debug, trace or silent");
}

function servedConfig({ hosts, ...flags }: ServeFlags): Config {
  return config({ ...flags, hosts: { count: hosts } });
}

function config(flags: Settings = {}): Config {
  const settings = withoutOwnTasks(flags);
  const given = program.opts<Record<string, string[]>>();
  const [tasks, tools, reward] = ["tasks", "tools", "reward"].map((name) => onlyOne(name, given[name]));
  if (tasks === undefined) {
    const [alone] = Object.entries({ tools, reward }).filter(([, path]) => path !== undefined);
    if (alone) throw new InvalidArgumentError(`expected --tasks together with --${alone[0]}, but received no --tasks`);
    return settings;
  }
  const paths = { tasks, ...(tools !== undefined && { tools }), ...(reward !== undefined && { reward }) };
  const own = JSON.stringify(Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, resolve(path)])));
  return { ...settings, environments: [...settings.environments, own] };
}

function withoutOwnTasks(flags: Settings = {}): Config {
  const { config: file, dataDir, environmentModule } = program.opts<Record<string, string>>();
  return loadConfig({ file, env: process.env, flags: { dataDir, environments: environmentModule, ...flags } });
}

/**
 * Adds a value to the values given before for a repeatable option. Commander must not refuse a second value, because
 * other commands, such as `eval`, have a repeatable `--tasks`.
 */
function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/**
 * Returns the single value of an option. A second value is refused. Otherwise it would silently replace the first
 * value.
 */
function onlyOne(option: string, [path, second]: readonly string[] = []): string | undefined {
  if (path === undefined || second === undefined) return path;
  const remedy = "Serve several environments with definition files";
  throw new InvalidArgumentError(
    `expected a single --${option}, but received ${shown(path)} and ${shown(second)}. ${remedy}`,
  );
}

/** Opens sandboxes, calls `use` with them, and closes them afterwards. */
async function withSandboxes<T>(use: (sandboxes: Sandboxes) => Promise<T>): Promise<T> {
  const sandboxes = openSandboxes(config());
  try {
    return await use(sandboxes);
  } finally {
    await sandboxes.close();
  }
}

function registry(): Promise<Registry> {
  return Registry.load(config().environments);
}

interface PlayFlags {
  task?: TaskRef;
  seed: number;
  option: Options;
  maxSteps?: number;
  picture: boolean;
  json: boolean;
}

interface SynthFlags {
  bundled: boolean;
  pages?: string;
  model?: string;
  count: number;
  concurrency: number;
  seed: number;
  out: string;
}

const misuses = [InvalidArgumentError, ConfigError, TaskOutOfRange, UnusableModule, CheckRefused];

/** Classes of errors for an unknown name. Each error has the received name and the known names. */
const unknownNames = [UnknownEnvironment, UnknownSplit, UnknownOption];

function isUnknownName(error: unknown): error is InstanceType<(typeof unknownNames)[number]> {
  return unknownNames.some((kind) => error instanceof kind);
}

/** Prints an error and returns the exit code. Only unexpected errors are printed with their stack. */
function report(error: unknown): number {
  if (isUnknownName(error)) return complain(`${error.message}${didYouMean(error.received, error.known)}`, misused);
  if (misuses.some((misuse) => error instanceof misuse)) return complain((error as Error).message, misused);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
  if (error instanceof OperatorError || error instanceof SandboxError) return complain(error.message, 1);
  if (error instanceof GymError) return complain(`${error.code}: ${error.message}`, 1);
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), 1);
}

function complain(message: string, exitCode: number): number {
  console.error(`palestra: ${message}`);
  return exitCode;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
