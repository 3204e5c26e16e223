/** The options of `palestra envs`. */
import type { Command } from "commander";
import { guide } from "../../command-line.js";
import type { Context } from "./context.js";

export function addEnvsCommand(program: Command, context: Context): void {
  const command = program
    .command("envs")
    .description("list the environments and their requirements")
    .option("--json", "print the JSON object {environments}", false)
    .action(async (options: { json: boolean }) => {
      const registry = await context.registry();
      const { envs } = await import("../envs.js");
      await envs(registry, options);
    });
  guide(command, "README.md#environments", {
    "palestra envs": "List the environments, and how to get what this machine lacks",
    "palestra envs --json": "List all splits and options for a program",
  });
}
