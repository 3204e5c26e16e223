import { accessSync, constants, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "./operator-error.js";

/** Mode of a data directory that this program creates: only its user can read the episodes and the hashes of tokens. */
export const privateFolder = 0o700;

/** Returns the remedy for a file or directory that the gym cannot write. */
export function writeRemedy(): string {
  const user = process.getuid?.();
  const who = user === undefined ? "this user" : `the user with id ${user}`;
  return `Make it writable for ${who}, or choose another directory with --data-dir`;
}

export const roomRemedy = "Make room on the disk of the data directory, and start the gym again";

/** Whether an error tells that a disk, or a user's part of it, is full. */
export function isNoRoom(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "SQLITE_FULL"].includes((error as { code?: string } | null)?.code ?? "");
}

/** Creates the data directory if it is missing. @throws {OperatorError} if the directory cannot be read and written */
export function openDataDir(path: string): void {
  try {
    makeFolder(path);
    readdirSync(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const received = `${(error as Error).message}. ${writeRemedy()}`;
    throw new OperatorError(`a readable and writable data directory at ${path}`, received);
  }
}

// Node's `recursive` option is not used: inside a folder that accepts no new folders, such as /proc, Node would retry for
// ever.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: privateFolder });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
