/** The options of `palestra check`. */
import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "../context.js";
import { choiceOption, type SandboxKind, sandboxKinds, wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

interface CheckFlags {
  all: boolean;
  json: boolean;
  /** Number of tasks of each split. */
  episodes: number;
  /** Time limit of a call of the environment, in seconds. */
  deadline: number;
  sandbox?: SandboxKind;
}

export function addCheckCommand(program: Command, context: Context): void {
  const command = program
    .command("check [env...]")
    .description("run the conformance suite on environments, or on a kind of sandbox")
    .option("--all", "check every environment", false)
    .addOption(choiceOption("--sandbox <kind>", "check sandboxes of this kind instead of environments", sandboxKinds))
    .option("--json", "print the JSON object {passed, failed, skipped, results}", false)
    .option("--episodes <count>", "number of tasks played in each split", wholeFrom(1, 1_000), 4)
    .option("--deadline <seconds>", "time limit of a call of the environment, in seconds", wholeFrom(1, 86_400), 600)
    .action((names: string[], flags: CheckFlags) => runCheck(context, names, flags));
  guide(command, "test/README.md", {
    "palestra check textcraft babyai": "Check two environments",
    "palestra --environment-module ./maze.js check maze": "Check an environment of your own",
    "palestra check --all --json": "Check every environment, for a program",
    "palestra check --sandbox docker": "Check the guarantees of containers",
  });
}

async function runCheck(context: Context, names: string[], flags: CheckFlags): Promise<void> {
  const { all, json, episodes, deadline, sandbox } = flags;
  if (sandbox !== undefined) {
    if (names.length > 0 || all)
      throw new InvalidArgumentError("expected either --sandbox or environments, but received both");
    const { checkSandboxes } = await import("../handlers/check-sandbox.js");
    if ((await checkSandboxes(sandbox, await context.config(), { json })) > 0) process.exitCode = 1;
    return;
  }
  if (names.length === 0 && !all)
    throw new InvalidArgumentError("expected an environment, --all or --sandbox, but received no argument");
  const { check } = await import("../handlers/check.js");
  const { failed, isStuck } = await check(await context.config(), names, {
    json,
    episodes,
    deadlineMs: deadline * 1_000,
  });
  if (failed > 0) process.exitCode = 1;
  // An ordinary exit would wait for every thread to end.
  if (isStuck) process.kill(process.pid, "SIGKILL");
}
