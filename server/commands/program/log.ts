/** The options of `palestra log`, which checks, copies, repairs and restores the episode log of a gym. */
import { join } from "node:path";
import type { Command } from "commander";
import type { Context } from "./context.js";

export function addLogCommands(program: Command, context: Context): void {
  const log = program.command("log").description("check, copy, repair or restore the episode log of a gym");
  const path = async () => join(await context.dataDir(), "episodes.db");
  log
    .command("verify")
    .description("compare every stored step and reset result of a stopped gym with its checksum; exit code 1: damage")
    .option("--json", "print JSON", false)
    .action(async (flags) => (await import("../log.js")).verify(await path(), flags));
  log
    .command("backup <file>")
    .description("copy the log to a new file, also while the gym runs; exit code 1: the log is damaged")
    .option("--damaged", "keep the copy of a damaged log", false)
    .action(async (file, flags) => (await import("../log.js")).backup(await path(), file, flags));
  log
    .command("restore <file>")
    .description("replace the log with a backup; the present log is kept as episodes.db.replaced-TIME")
    .action(async (file) => (await import("../log.js")).restore(await path(), file));
  log
    .command("repair [file]")
    .description("make a usable log out of the damaged log of a stopped gym; the damaged file is kept")
    .option("--output <file>", "write the repaired log to this new file, and leave the damaged log as it is")
    .option("--json", "print JSON", false)
    .action(async (file, flags) => (await import("../log.js")).repair(file ?? (await path()), flags));
}
