/** Repairs the file of a log, and keeps the damaged file. */
import { renameSync, rmSync } from "node:fs";
import { keepingWal, moveAway, whileLocked } from "../sqlite/closed-log.js";
import type { OnProgress } from "../sqlite/verify.js";
import { type Repair, repairLog } from "./repair.js";

export interface RepairedFile {
  /** Path of the repaired log. */
  repaired: string;
  /** Path of the damaged log. */
  damaged: string;
  repair: Repair;
}

/**
 * Replaces a damaged log with the repaired one. The damaged log is kept as `<path>.damaged-<time>`.
 *
 * @throws {Error} a gym uses the log, or a file cannot be read or written
 */
export function repairInPlace(path: string, onProgress?: OnProgress): RepairedFile {
  const partial = `${path}.repairing`;
  // A killed repair leaves this file.
  rmSync(partial, { force: true });
  return locked(path, () => {
    const repair = repairLog(path, partial, onProgress);
    const damaged = moveAway(path, "damaged");
    renameSync(partial, path);
    return { repaired: path, damaged, repair };
  });
}

/**
 * Writes the repaired log to a new file.
 *
 * @throws {Error} the file exists, a gym uses the log, or a file cannot be read or written
 */
export function repairTo(path: string, to: string, onProgress?: OnProgress): RepairedFile {
  return locked(path, () => ({ repaired: to, damaged: path, repair: repairLog(path, to, onProgress) }));
}

function locked<T>(path: string, work: () => T): T {
  return keepingWal(path, () => whileLocked(path, work));
}
