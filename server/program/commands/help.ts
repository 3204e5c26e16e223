/** `palestra help`, which also prints the help of the trainer's commands. */
import type { Command } from "commander";
import { shown } from "../../errors.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import type { Context } from "../context.js";
import { guide } from "../terminal/command-line.js";
import { isTrainerCommand, loadTrainer } from "../trainer-commands.js";

export function addHelpCommand(program: Command, context: Context): void {
  program.helpCommand(false);
  const command = program
    .command("help [command...]")
    .description("print the help of a command")
    .action(async (names: string[]) => {
      const wanted = names.reduce((parent, name) => subcommand(parent, name), program);
      if (!isTrainerCommand(wanted)) return wanted.outputHelp();
      const trainer = await loadTrainer(context);
      return trainer.commands.find((command) => command.name() === wanted.name())?.outputHelp();
    });
  guide(command, "server/README.md#commands", {
    "palestra help eval": "Print the help of `palestra eval`",
    "palestra help token create": "Print the help of a command of `palestra token`",
  });
}

function subcommand(parent: Command, name: string): Command {
  const known = parent.commands.map((command) => command.name());
  const found = parent.commands.find((command) => command.name() === name);
  if (found) return found;
  const received = `${shown(name)}${didYouMean(name, known)}`;
  const expected = known.length > 0 ? `one of ${known.join(", ")}` : `no command below ${parent.name()}`;
  return parent.error(`error: expected ${expected}, but received ${received}`);
}
