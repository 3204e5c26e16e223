/** The options of `palestra log`, which checks, copies, repairs and restores the episode log of a gym. */
import { join } from "node:path";
import type { Command } from "commander";
import { OperatorError } from "../../config/operator-error.js";
import { type LogPlace, shownPlace } from "../../log/copy/log-place.js";
import type { Context } from "../context.js";
import { guide } from "../terminal/command-line.js";

/** Page that describes the commands for logs in SQLite. */
const page = "server/README.md#back-up-check-and-repair-the-log";

export function addLogCommands(program: Command, context: Context): void {
  const log = program.command("log").description("check, copy, repair or restore the episode log of a gym");
  const path = async () => join(await context.dataDir(), "episodes.db");
  const own = async () => {
    await expectSqlite(context);
    return path();
  };
  addVerifyCommand(log, context, path);
  const backup = log
    .command("backup <file>")
    .description("copy the log to a new file, also while the gym runs; exit code 1: the log is damaged")
    .option("--damaged", "keep the copy of a damaged log", false)
    .option("--json", "print the JSON object {file, episodes, damages}", false)
    .action(async (file, flags) => (await import("../handlers/log.js")).backup(await own(), file, flags));
  const restore = log
    .command("restore <file>")
    .description("replace the log with a backup; the present log is kept as episodes.db.replaced-TIME")
    .option("--json", "print the JSON object {restored, episodes}", false)
    .action(async (file, flags) => (await import("../handlers/log.js")).restore(await own(), file, flags));
  const repair = log
    .command("repair [file]")
    .description("make a usable log out of the damaged log of a stopped gym; the damaged file is kept")
    .option("--output <file>", "write the repaired log to this new file, and leave the damaged log as it is")
    .option("--json", "print the JSON object {repaired, damaged, repair}", false)
    .action(async (file, flags) => (await import("../handlers/log.js")).repair(file ?? (await own()), flags));
  guide(log, page, { "palestra log verify": "Check the log of a stopped gym" });
  guide(backup, page, {
    "palestra log backup gym-backup.db": "Copy the log of a running or stopped gym",
    "palestra log backup gym-backup.db --damaged": "Copy a damaged log as it is",
  });
  guide(restore, page, { "palestra log restore gym-backup.db": "Replace the log of a stopped gym" });
  guide(repair, page, {
    "palestra log repair": "Repair the log in its place, and keep the damaged file",
    "palestra log repair gym-backup.db --output repaired.db": "Write a repaired copy of another file",
  });
  addCopyCommand(log, context, path);
}

function addVerifyCommand(log: Command, context: Context, path: () => Promise<string>): void {
  const place = async (): Promise<LogPlace> => {
    const { url } = (await context.config()).log;
    return url === undefined ? { path: await path() } : { url };
  };
  const verify = log
    .command("verify")
    .description(
      "compare every stored step and reset result with its checksum, of a stopped gym or of gyms on PostgreSQL; exit code 1: damage",
    )
    .option("--json", "print the JSON object {episodes, pages, damages}", false)
    .action(async (flags) => (await import("../handlers/log.js")).verify(await place(), flags));
  guide(verify, page, {
    "palestra log verify": "Check the log of a stopped gym",
    "palestra --data-dir /srv/gym log verify --json": "Check the log of another data directory, for a program",
    "palestra --log postgres://gym@db/gym log verify": "Check a log in PostgreSQL, also while gyms play",
  });
}

/** @throws {OperatorError} the log of the settings is in PostgreSQL, which has tools of its own */
async function expectSqlite(context: Context): Promise<void> {
  const { url } = (await context.config()).log;
  if (url === undefined) return;
  const received = `the setting log.url, ${shownPlace({ url })}. Use pg_dump and pg_restore for backups, and \`palestra log copy\` to copy the log`;
  throw new OperatorError("a log in an SQLite file", received);
}

function addCopyCommand(log: Command, context: Context, path: () => Promise<string>): void {
  const copy = log
    .command("copy <from> [to]")
    .usage("[options] [FROM] TO")
    .description(
      "copy the log of a stopped gym from SQLite to PostgreSQL, or back, and compare both; FROM and TO are files or postgres:// URLs (default FROM: the log of the settings); the same command continues a copy that was stopped",
    )
    .option("--json", "print the JSON object {episodes, steps, pages, bytes, resumedRows, seconds}", false)
    .action(async (first, second, flags) => {
      const usual = async () => (await context.config()).log.url ?? (await path());
      await (await import("../handlers/log-copy.js")).copy(
        second === undefined ? await usual() : first,
        second ?? first,
        flags,
      );
    });
  guide(copy, "server/README.md#postgresql", {
    "palestra log copy postgres://palestra:secret@db.example.org/palestra":
      "Copy the log of a stopped gym to PostgreSQL",
    "palestra log copy postgres://palestra:secret@db.example.org/palestra copied.db": "Copy a log back to SQLite",
  });
}
