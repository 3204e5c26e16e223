/** The command `palestra log` checks, copies, repairs and restores the episode log of a gym. */
import { join } from "node:path";
import type { Command } from "commander";
import { backUpLog } from "../log/backup.js";
import type { Repair } from "../log/repair.js";
import { repairInPlace, repairTo } from "../log/repair-file.js";
import { restoreLog } from "../log/restore.js";
import { type OnProgress, type Verification, verifyLog } from "../log/verify.js";
import { OperatorError } from "../operator-error.js";
import { ProgressLine } from "../progress-line.js";

/** Number of damaged parts or episodes that are listed. */
const mostListed = 20;

/** Exit code if the log is damaged, or if a repair lost a part of it. */
const damaged = 1;

/** @param dataDir returns the data directory that the program's options select */
export function addLogCommands(program: Command, dataDir: () => string): void {
  const log = program.command("log").description("check, copy, repair or restore the episode log of a gym");
  const path = () => join(dataDir(), "episodes.db");
  addVerify(log, path);
  addBackup(log, path);
  addRestore(log, path);
  addRepair(log, path);
}

function addVerify(log: Command, path: () => string): void {
  log
    .command("verify")
    .description("compare every stored step and reset result of a stopped gym with its checksum; exit code 1: damage")
    .option("--json", "print JSON", false)
    .action(async (options: { json: boolean }) => {
      const found = await attempt(`an intact episode log at ${path()}`, (onProgress) => verifyLog(path(), onProgress));
      console.log(options.json ? JSON.stringify(found, null, 2) : describe(found));
      if (found.damages.length === 0) return;
      process.exitCode = damaged;
      if (!options.json) console.log("Repair the log with `palestra log repair`, or restore a backup.");
    });
}

function addBackup(log: Command, path: () => string): void {
  log
    .command("backup <file>")
    .description("copy the log to a new file, also while the gym runs; exit code 1: the log is damaged")
    .option("--damaged", "keep the copy of a damaged log", false)
    .action(async (file: string, options: { damaged: boolean }) => {
      const found = await attempt(`to copy ${path()} to ${file}`, (onProgress) =>
        backUpLog(path(), file, { keepsDamaged: options.damaged, onProgress }),
      );
      if (found.damages.length === 0) return console.log(`${file} has ${found.episodes} episodes.`);
      process.exitCode = damaged;
      console.log(describe(found));
      const remedy = "Repair the log with `palestra log repair`, or copy it as it is with --damaged.";
      console.log(options.damaged ? `${file} has this damage too.` : `No backup was made. ${remedy}`);
    });
}

function addRestore(log: Command, path: () => string): void {
  log
    .command("restore <file>")
    .description("replace the log with a backup; the present log is kept as episodes.db.replaced-TIME")
    .action(async (file: string) => {
      const expected = `an intact backup at ${file}`;
      const found = await attempt(expected, (onProgress) => verifyLog(file, onProgress));
      if (found.damages.length > 0)
        throw new OperatorError(expected, `${describe(found)} Repair it with \`palestra log repair ${file}\``);
      await attempt(`to restore ${path()}`, () => restoreLog(file, path()));
      console.log(`${path()} has ${found.episodes} episodes.`);
    });
}

interface RepairFlags {
  output?: string;
  json: boolean;
}

function addRepair(log: Command, path: () => string): void {
  log
    .command("repair [file]")
    .description("make a usable log out of the damaged log of a stopped gym; the damaged file is kept")
    .option("--output <file>", "write the repaired log to this new file, and leave the damaged log as it is")
    .option("--json", "print JSON", false)
    .action(async (file: string | undefined, { output, json }: RepairFlags) => {
      const from = file ?? path();
      const expected = `to repair ${from}`;
      const found = await attempt(expected, (onProgress) => verifyLog(from, onProgress));
      if (found.damages.length === 0) return console.log(json ? JSON.stringify({ repaired: null }) : describe(found));
      const done = await attempt(expected, (onProgress) =>
        output === undefined ? repairInPlace(from, onProgress) : repairTo(from, output, onProgress),
      );
      console.log(json ? JSON.stringify(done, null, 2) : describeRepair(done.repair, done));
      if (isLossy(done.repair)) process.exitCode = damaged;
    });
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
  const lines = damages.map(({ part, episodes: ids }) => `${part}: ${ids.join(", ") || "-"}`);
  return [`The log has ${damages.length} damaged parts: ${size}.`, ...listed(lines)].join("\n");
}

function describeRepair(
  repair: Repair,
  { repaired, damaged: original }: { repaired: string; damaged: string },
): string {
  const { episodes, steps, cut, lost, parts, mayLackNewest } = repair;
  const cutLines = cut.map(({ id, steps: kept, loss }) => `  ${id}: ${kept} steps are kept. ${loss}`);
  return [
    `${repaired} has ${episodes} episodes with ${steps} steps.`,
    `Kept whole: ${episodes - cut.length} episodes.`,
    `Cut: ${cut.length} episodes. They have failed with LOG_CORRUPT.`,
    ...listed(cutLines),
    `Lost: ${lost.length} episodes.`,
    ...listed(lost.map((key) => `  ep-${key}-...`)),
    ...(parts.length > 0 ? ["Damaged parts:", ...listed(parts.map((part) => `  ${part}`))] : []),
    ...(mayLackNewest ? ["Running episodes that are not cut may lack their newest steps."] : []),
    `The damaged log is kept as ${original}.`,
  ].join("\n");
}

function isLossy({ cut, lost, parts }: Repair): boolean {
  return cut.length + lost.length + parts.length > 0;
}

function listed(lines: readonly string[]): string[] {
  return lines.length <= mostListed
    ? [...lines]
    : [...lines.slice(0, mostListed), `and ${lines.length - mostListed} more`];
}
