/** The commands of the trainer's program, which parses its own arguments. */
import type { Command } from "commander";
import type { Context } from "./context.js";

const trainerCommands = [
  ["train", "train a model on episodes (default: a small model on the CPU)"],
  ["eval", "play a benchmark with any policy, and write a report"],
  ["export", "write episodes as training data (chats, steps, preference pairs), or as files to read"],
  ["ask", "let a model answer a question by searching, and show its steps"],
  ["endpoint", "serve a model to agents over OpenAI's API"],
] as const;

export function addTrainerCommands(program: Command, context: Context): void {
  for (const [name, description] of trainerCommands) {
    program
      .command(name)
      .description(description)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async () => {
        const { runTrainer } = await import("../trainer.js");
        process.exitCode = await runTrainer(process.argv.slice(process.argv.indexOf(name)), await context.dataDir());
      });
  }
}
