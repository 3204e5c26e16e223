/** The options of `palestra completion`. */
import { Argument, type Command, InvalidArgumentError } from "commander";
import { shown } from "../../errors.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import type { Form } from "../completion/completion.js";
import type { Context } from "../context.js";
import { type DescribedCommand, describeCommand, guide } from "../terminal/command-line.js";
import { loadTrainer } from "../trainer-commands.js";

const shells: readonly Form[] = ["bash", "zsh", "fish"];

export function addCompletionCommand(program: Command, context: Context): void {
  const command = program
    .command("completion")
    .description("print a script that completes commands, options, environments and files in a shell")
    .addArgument(new Argument("<shell>", "bash, zsh or fish").choices(shells).argParser(parseShell))
    .action(async (form: Form) => {
      const { completion } = await import("../completion/completion.js");
      await completion(
        form,
        () => described(program, context),
        () => context.registry(),
        context.isBundled,
      );
    });
  guide(command, "server/README.md#commands", {
    "palestra completion bash > ~/.local/share/bash-completion/completions/palestra": "Complete in every new bash",
    "palestra completion zsh > ~/.zfunc/_palestra": "Complete in every new zsh, if ~/.zfunc is in its fpath",
    "palestra completion fish > ~/.config/fish/completions/palestra.fish": "Complete in every new fish",
  });
}

/** Describes the program, with the options of the trainer's commands. */
async function described(program: Command, context: Context): Promise<DescribedCommand> {
  const described = describeCommand(program);
  const trainer = describeCommand(await loadTrainer(context));
  const ofTrainer = new Map(trainer.commands.map((command) => [command.name, command]));
  return { ...described, commands: described.commands.map((command) => ofTrainer.get(command.name) ?? command) };
}

/** Accepts `json`, too, with which the build makes the words that the scripts offer. */
function parseShell(text: string): Form {
  const shell = [...shells, "json" as const].find((each) => each === text);
  if (shell) return shell;
  throw new InvalidArgumentError(`expected bash, zsh or fish, but received ${shown(text)}${didYouMean(text, shells)}`);
}
