/** The commands of the trainer, whose options are loaded on first use, since the help of `palestra` needs none of them. */
import type { Command } from "commander";
import type { Context } from "./context.js";
import { gymProgram } from "./gym-program.js";
import type { Additions } from "./handlers/mount-arguments.js";
import { onNpxGone } from "./npx.js";

/** Description of each command of the trainer. */
export const trainerCommands = {
  train: "train a model on episodes (default: a small model on the CPU)",
  eval: "play a benchmark with any policy and write a report, or compare two",
  export: "write episodes as training data (chats, steps, preference pairs), or as files to read",
  convert: "write a checkpoint or a model for Hugging Face's packages, llama.cpp or PEFT",
  ask: "let a model answer a question by searching, and show its steps",
  endpoint: "serve a model to agents over the APIs of OpenAI and Anthropic",
} as const;

export function isTrainerCommand(command: Command): boolean {
  return command.parent?.parent === null && command.name() in trainerCommands;
}

export function addTrainerCommands(program: Command, context: Context): void {
  program.commandsGroup("Train and evaluate:");
  for (const [name, description] of Object.entries(trainerCommands)) {
    program
      .command(name)
      .description(description)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => runTrainerCommand(program, context));
  }
}

async function runTrainerCommand(program: Command, context: Context): Promise<void> {
  const { withAdditions } = await import("./handlers/mount-arguments.js");
  const given = trainerArguments(program, process.argv.slice(2));
  const { args, variables } = withAdditions(given, program.opts<Additions>());
  const trainer = await loadTrainer(context, variables);
  const forgetNpx = onNpxGone(() => process.kill(process.pid, "SIGTERM"));
  try {
    await trainer.parseAsync(args, { from: "user" });
  } finally {
    forgetNpx();
  }
}

/** Loads the commands of the trainer with their options. @param variables environment variables of a gym that a run starts */
export async function loadTrainer(context: Context, variables: Record<string, string> = {}): Promise<Command> {
  const { trainerProgram } = await import("./training/trainer-program.js");
  const { dataDir, runs } = await context.folders();
  return trainerProgram({ dataDir, runs, program: { path: gymProgram, variables } });
}

/** Options of the program that the trainer's commands take too, although the trainer does not know them. */
const ofProgram: readonly string[] = ["--data-dir", "--no-color"];

/**
 * Returns the arguments from the command on, without the options of the program. The trainer has options with the names
 * of other options of the program, such as `--tasks`, so those are left.
 */
export function trainerArguments(program: Command, args: readonly string[]): string[] {
  const lengthOf = (arg: string) => {
    const option = program.options.find(({ long, short }) => arg === long || arg === short);
    return option?.required ? 2 : 1;
  };
  let start = 0;
  while (start < args.length && args[start]?.startsWith("-")) start += lengthOf(args[start] as string);
  const kept: string[] = [];
  for (let at = start; at < args.length; ) {
    const arg = args[at] as string;
    if (arg === "--") return [...kept, ...args.slice(at)];
    const [name = ""] = arg.split("=");
    const length = arg.includes("=") ? 1 : lengthOf(arg);
    const isOfProgram = ofProgram.includes(name);
    if (!isOfProgram) kept.push(arg);
    at += isOfProgram ? length : 1;
  }
  return kept;
}
