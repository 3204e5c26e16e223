/**
 * Implements `palestra completion`: prints the script with which a shell completes commands, options and names. The script has
 * all words. A library's script would start this program at each press of the tab key, which takes 0.1 s of CPU time.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Registry } from "../../../envs/registry.js";
import type { DescribedCommand } from "../terminal/command-line.js";
import { bashScript } from "./bash.js";
import { fishScript } from "./fish.js";
import { type Words, wordsOf } from "./words.js";
import { zshScript } from "./zsh.js";

/** Forms of the words. The build keeps them as JSON. */
const forms = { bash: bashScript, zsh: zshScript, fish: fishScript, json: JSON.stringify } as const;
export type Form = keyof typeof forms;

/** Words of the program with the bundled tasks of the built-in environments, since every new shell asks for them. */
const kept = new URL("../../../completion.json", import.meta.url);

/**
 * @param describe describes the program
 * @param loadRegistry loads the environments
 * @param isBundled whether there are no other environments and tasks than the bundled ones
 */
export async function completion(
  form: Form,
  describe: () => Promise<DescribedCommand>,
  loadRegistry: () => Promise<Registry>,
  isBundled: boolean,
): Promise<void> {
  const isKept = isBundled && form !== "json" && existsSync(kept);
  const words = isKept
    ? (JSON.parse(readFileSync(kept, "utf8")) as Words)
    : currentWords(await describe(), await loadRegistry());
  process.stdout.write(forms[form](words));
}

function currentWords(program: DescribedCommand, registry: Registry): Words {
  const splits = registry.list().map((spec) => [spec.id, Object.keys(spec.splits)] as const);
  return wordsOf(program, Object.fromEntries(splits));
}
