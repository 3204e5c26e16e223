/** The options of `palestra envs`. */
import type { Command } from "commander";
import type { Context } from "./context.js";

export function addEnvsCommand(program: Command, context: Context): void {
  program
    .command("envs")
    .description("list the environments and their requirements")
    .option("--json", "print JSON", false)
    .action(async (options: { json: boolean }) => {
      const registry = await context.registry();
      const { envs } = await import("../envs.js");
      await envs(registry, options);
    });
}
