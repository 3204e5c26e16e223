/** Implements `palestra completion`: prints the script with which a shell completes commands, options and names. */
import type { Registry } from "../../envs/registry.js";
import type { DescribedCommand } from "../command-line.js";
import { OperatorError } from "../operator-error.js";
import { bashScript } from "./completion/bash.js";
import { fishScript } from "./completion/fish.js";
import { wordsOf } from "./completion/words.js";
import { zshScript } from "./completion/zsh.js";
import { describeTrainer } from "./trainer.js";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
export type Shell = keyof typeof scripts;

/** @param program the program without the options of the trainer's commands */
export async function completion(shell: Shell, program: DescribedCommand, registry: Registry): Promise<void> {
  const trainer = await describeTrainer().catch((error) => {
    throw new OperatorError("the trainer to list its options", error);
  });
  const ofTrainer = new Map(trainer.commands.map((command) => [command.name, command]));
  const commands = program.commands.map((command) => ofTrainer.get(command.name) ?? command);
  const splits = registry.list().map((spec) => [spec.id, Object.keys(spec.splits)] as const);
  process.stdout.write(scripts[shell](wordsOf({ ...program, commands }, Object.fromEntries(splits))));
}
