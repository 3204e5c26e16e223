/** Implements `palestra completion`: prints the script with which a shell completes commands, options and names. */
import { existsSync, readFileSync } from "node:fs";
import type { Registry } from "../../envs/registry.js";
import type { DescribedCommand } from "../command-line.js";
import { OperatorError } from "../operator-error.js";
import { bashScript } from "./completion/bash.js";
import { fishScript } from "./completion/fish.js";
import { type Words, wordsOf } from "./completion/words.js";
import { zshScript } from "./completion/zsh.js";
import { describeTrainer } from "./trainer.js";

/** Forms of the words. The build keeps them as JSON. */
const forms = { bash: bashScript, zsh: zshScript, fish: fishScript, json: JSON.stringify } as const;
export type Form = keyof typeof forms;

/** Words of the program with the bundled tasks of the built-in environments, since every new shell asks for them. */
const kept = new URL("../../completion.json", import.meta.url);

/**
 * @param describe describes the program without the options of the trainer's commands
 * @param loadRegistry loads the environments
 * @param isBundled whether there are no other environments and tasks than the bundled ones
 */
export async function completion(
  form: Form,
  describe: () => DescribedCommand,
  loadRegistry: () => Promise<Registry>,
  isBundled: boolean,
): Promise<void> {
  const isKept = isBundled && form !== "json" && existsSync(kept);
  const words = isKept
    ? (JSON.parse(readFileSync(kept, "utf8")) as Words)
    : await currentWords(describe(), await loadRegistry());
  process.stdout.write(forms[form](words));
}

async function currentWords(program: DescribedCommand, registry: Registry): Promise<Words> {
  const trainer = await describeTrainer().catch((error) => {
    throw new OperatorError("the trainer to list its options", error);
  });
  const ofTrainer = new Map(trainer.commands.map((command) => [command.name, command]));
  const commands = program.commands.map((command) => ofTrainer.get(command.name) ?? command);
  const splits = registry.list().map((spec) => [spec.id, Object.keys(spec.splits)] as const);
  return wordsOf({ ...program, commands }, Object.fromEntries(splits));
}
