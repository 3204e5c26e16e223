import { chmodSync, copyFileSync, existsSync, renameSync } from "node:fs";
import { keepingWal, LogInUse, moveAway, openClosedLog } from "../sqlite/closed-log.js";

/**
 * Replaces a log with a backup. The present log is kept as `<path>.replaced-<time>`.
 *
 * @throws {Error} a gym uses the present log, or a file cannot be written
 */
export function restoreLog(backup: string, path: string): void {
  const partial = `${path}.partial`;
  copyFileSync(backup, partial);
  chmodSync(partial, 0o600);
  if (existsSync(path)) expectUnused(path);
  moveAway(path, "replaced");
  renameSync(partial, path);
}

/** @throws {LogInUse} a gym has the log open */
function expectUnused(path: string): void {
  try {
    keepingWal(path, () => openClosedLog(path).close());
  } catch (error) {
    // A log that cannot be opened for another reason, such as damage, is not in use either.
    if (error instanceof LogInUse) throw error;
  }
}
