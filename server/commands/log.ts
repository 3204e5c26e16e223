/** The command `palestra log` checks, copies and restores the episode log of a gym that is stopped. */
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { backUpLog, expectUnused, type OnProgress, type Verification, verifyLog } from "../log/verify.js";
import { OperatorError } from "../operator-error.js";
import { ProgressLine } from "../progress-line.js";

/** Number of damaged parts that are listed. */
const mostListed = 20;

/** Exit code if the log is damaged. */
const damaged = 1;

/** @param dataDir returns the data directory that the program's options select */
export function addLogCommands(program: Command, dataDir: () => string): void {
  const log = program.command("log").description("check, copy or restore the episode log of a stopped gym");
  const path = () => join(dataDir(), "episodes.db");

  log
    .command("verify")
    .description("compare every stored step and reset result with its checksum; exit code 1 if any is damaged")
    .option("--json", "print JSON", false)
    .action(async (options: { json: boolean }) => {
      const found = await attempt(`an intact episode log at ${path()}`, (onProgress) => verifyLog(path(), onProgress));
      console.log(options.json ? JSON.stringify(found, null, 2) : describe(found));
      if (found.damages.length > 0) process.exitCode = damaged;
    });

  log
    .command("backup <file>")
    .description("copy the log to a new file")
    .action(async (file: string) => {
      await attempt(`to copy ${path()} to ${file}`, (onProgress) => backUpLog(path(), file, onProgress));
      const { episodes } = verifyLog(file);
      console.log(`${file} has ${episodes} episodes.`);
    });

  log
    .command("restore <file>")
    .description("replace the log with a backup; the present log is kept as episodes.db.replaced")
    .action(async (file: string) => {
      const found = await attempt(`an intact backup at ${file}`, (onProgress) => verifyLog(file, onProgress));
      if (found.damages.length > 0) throw new OperatorError(`an intact backup at ${file}`, describe(found));
      await attempt(`to restore ${path()}`, () => restore(file, path()));
      console.log(`${path()} has ${found.episodes} episodes.`);
    });
}

/** @throws {Error} a gym uses the present log, or a file cannot be written */
function restore(backup: string, path: string): void {
  const partial = `${path}.partial`;
  copyFileSync(backup, partial);
  chmodSync(partial, 0o600);
  if (existsSync(path)) {
    expectUnused(path);
    for (const suffix of ["", "-wal"]) {
      if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.replaced${suffix}`);
    }
    rmSync(`${path}-shm`, { force: true });
  }
  renameSync(partial, path);
}

/** Shows the progress of the work. @param expected what the operator expected, for the error */
async function attempt<T>(expected: string, work: (onProgress: OnProgress) => T | Promise<T>): Promise<T> {
  const line = new ProgressLine("log");
  try {
    return await work((done, total) => line.show(done / total, `${done} of ${total} parts`));
  } catch (error) {
    throw new OperatorError(expected, error);
  } finally {
    line.end();
  }
}

function describe({ episodes, pages, damages }: Verification): string {
  const size = `${episodes} episodes, ${pages} pages of steps`;
  if (damages.length === 0) return `The log is intact: ${size}.`;
  const listed = damages.slice(0, mostListed).map(({ part, episodes: ids }) => `${part}: ${ids.join(", ") || "-"}`);
  const rest = damages.length > mostListed ? [`and ${damages.length - mostListed} more`] : [];
  return [`The log has ${damages.length} damaged parts: ${size}.`, ...listed, ...rest].join("\n");
}
