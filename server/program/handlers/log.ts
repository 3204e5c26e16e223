/** The command `palestra log` checks, copies, repairs and restores the episode log of a gym. */

import { OperatorError } from "../../config/operator-error.js";
import { counted } from "../../formats/counted.js";
import { type LogPlace, shownPlace } from "../../log/copy/log-place.js";
import { verifyDatabase } from "../../log/copy/postgres-verification.js";
import { backUpLog } from "../../log/repair/backup.js";
import type { Repair } from "../../log/repair/repair.js";
import { repairInPlace, repairTo } from "../../log/repair/repair-file.js";
import { restoreLog } from "../../log/repair/restore.js";
import { type OnProgress, type Verification, verifyLog } from "../../log/sqlite/verify.js";
import { ProgressLine } from "../terminal/progress-line.js";

/** Number of damaged parts or episodes that are listed. */
const mostListed = 20;

/** Exit code if the log is damaged, or if a repair lost a part of it. */
const damaged = 1;

/** Compares every checksum of the log. */
export async function verify(place: LogPlace, { json }: { json: boolean }): Promise<void> {
  const found = await attempt(`an intact episode log at ${shownPlace(place)}`, (onProgress) =>
    "path" in place ? verifyLog(place.path, onProgress) : verifyDatabase(place.url, onProgress),
  );
  console.log(json ? JSON.stringify(found, null, 2) : describe(found));
  if (found.damages.length === 0) return;
  process.exitCode = damaged;
  const remedy = "path" in place ? "Repair the log with `palestra log repair`, or restore" : "Restore";
  if (!json) console.log(`${remedy} a backup.`);
}

/** Copies the log to a new file. */
export async function backup(path: string, file: string, options: { damaged: boolean; json: boolean }): Promise<void> {
  const found = await attempt(`to copy ${path} to ${file}`, (onProgress) =>
    backUpLog(path, file, { keepsDamaged: options.damaged, onProgress }),
  );
  const isDamaged = found.damages.length > 0;
  if (isDamaged) process.exitCode = damaged;
  if (options.json) {
    const kept = isDamaged && !options.damaged ? null : file;
    return console.log(JSON.stringify({ file: kept, ...found }, null, 2));
  }
  if (!isDamaged) return console.log(`${file} has ${counted(found.episodes, "episode")}.`);
  console.log(describe(found));
  const remedy = "Repair the log with `palestra log repair`, or copy it as it is with --damaged.";
  console.log(options.damaged ? `${file} has this damage too.` : `No backup was made. ${remedy}`);
}

/** Replaces the log with a backup. */
export async function restore(path: string, file: string, { json }: { json: boolean }): Promise<void> {
  const expected = `an intact backup at ${file}`;
  const found = await attempt(expected, (onProgress) => verifyLog(file, onProgress));
  if (found.damages.length > 0)
    throw new OperatorError(expected, `${describe(found)} Repair it with \`palestra log repair ${file}\``);
  await attempt(`to restore ${path}`, () => restoreLog(file, path));
  const text = `${path} has ${counted(found.episodes, "episode")}.`;
  console.log(json ? JSON.stringify({ restored: path, episodes: found.episodes }, null, 2) : text);
}

interface RepairFlags {
  output?: string;
  json: boolean;
}

/** Makes a usable log out of a damaged one. */
export async function repair(from: string, { output, json }: RepairFlags): Promise<void> {
  const expected = `to repair ${from}`;
  const found = await attempt(expected, (onProgress) => verifyLog(from, onProgress));
  if (found.damages.length === 0) return console.log(json ? JSON.stringify({ repaired: null }) : describe(found));
  const done = await attempt(expected, (onProgress) =>
    output === undefined ? repairInPlace(from, onProgress) : repairTo(from, output, onProgress),
  );
  console.log(json ? JSON.stringify(done, null, 2) : describeRepair(done.repair, done));
  if (isLossy(done.repair)) process.exitCode = damaged;
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
  const size = `${counted(episodes, "episode")}, ${counted(pages, "page")} of steps`;
  if (damages.length === 0) return `The log is intact: ${size}.`;
  const lines = damages.map(({ part, episodes: ids }) => `${part}: ${ids.join(", ") || "-"}`);
  return [`The log has ${counted(damages.length, "damaged part")}: ${size}.`, ...listed(lines)].join("\n");
}

function describeRepair(
  repair: Repair,
  { repaired, damaged: original }: { repaired: string; damaged: string },
): string {
  const { episodes, steps, cut, lost, parts, mayLackNewest } = repair;
  const cutLines = cut.map(({ id, steps: kept, loss }) => `  ${id}: keeps ${counted(kept, "step")}. ${loss}`);
  return [
    `${repaired} has ${counted(episodes, "episode")} with ${counted(steps, "step")}.`,
    `Kept whole: ${counted(episodes - cut.length, "episode")}.`,
    `Cut, and failed with LOG_CORRUPT: ${counted(cut.length, "episode")}.`,
    ...listed(cutLines),
    `Lost: ${counted(lost.length, "episode")}.`,
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
