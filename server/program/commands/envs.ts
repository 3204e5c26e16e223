/** The options of `palestra envs`. */
import type { Command } from "commander";
import type { Context } from "../context.js";
import { guide } from "../terminal/command-line.js";

export function addEnvsCommand(program: Command, context: Context): void {
  const command = program
    .command("envs")
    .description("list the environments and their requirements")
    .option("--json", "print the JSON object {environments}", false)
    .action(async (options: { json: boolean }) => {
      const registry = await context.registry();
      const { envs } = await import("../handlers/envs.js");
      await envs(registry, options);
    });
  guide(command, "README.md#environments", {
    "palestra envs": "List the environments, and how to get what this machine lacks",
    "palestra envs --json": "List all splits and options for a program",
  });
}
