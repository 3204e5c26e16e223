/** The options of `palestra completion`. */
import { Argument, type Command, InvalidArgumentError } from "commander";
import { describeCommand, guide } from "../../command-line.js";
import { didYouMean } from "../../did-you-mean.js";
import { shown } from "../../errors.js";
import type { Form } from "../completion.js";
import type { Context } from "./context.js";

const shells: readonly Form[] = ["bash", "zsh", "fish"];

export function addCompletionCommand(program: Command, context: Context): void {
  const command = program
    .command("completion")
    .description("print a script that completes commands, options, environments and files in a shell")
    .addArgument(new Argument("<shell>", "bash, zsh or fish").choices(shells).argParser(parseShell))
    .action(async (form: Form) => {
      const { completion } = await import("../completion.js");
      const describe = () => describeCommand(program);
      await completion(form, describe, () => context.registry(), context.isBundled);
    });
  guide(command, "server/README.md#commands", {
    "palestra completion bash > ~/.local/share/bash-completion/completions/palestra": "Complete in every new bash",
    "palestra completion zsh > ~/.zfunc/_palestra": "Complete in every new zsh, if ~/.zfunc is in its fpath",
    "palestra completion fish > ~/.config/fish/completions/palestra.fish": "Complete in every new fish",
  });
}

/** Accepts `json`, too, with which the build makes the words that the scripts offer. */
function parseShell(text: string): Form {
  const shell = [...shells, "json" as const].find((each) => each === text);
  if (shell) return shell;
  throw new InvalidArgumentError(`expected bash, zsh or fish, but received ${shown(text)}${didYouMean(text, shells)}`);
}
