/** The options of `palestra init`. */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Context } from "../context.js";
import { guide } from "../terminal/command-line.js";

export function addInitCommand(program: Command, context: Context): void {
  const command = program
    .command("init <name>")
    .description("write a small environment of your own, with its tests, into a new folder")
    .option("--dir <folder>", "new or empty folder for the files (default: the name, in the current folder)")
    .option("--json", "print the JSON object {environment, folder, files}", false)
    .action(async (name: string, { dir = name, json }: { dir?: string; json: boolean }) => {
      const [registry, { init }] = await Promise.all([context.registry(), import("../handlers/init.js")]);
      const taken = registry.list().map(({ id }) => id);
      init(name, resolve(dir), taken, { json });
    });
  guide(command, "envs/README.md#write-an-environment-in-a-folder-of-your-own", {
    "palestra init treasure-hunt": "Write the folder treasure-hunt with a module, tests, package.json and README.md",
    "palestra init maze --dir envs/maze": "Write the files into another folder",
  });
}
