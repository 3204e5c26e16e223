/**
 * A lock on a folder, so that only one process writes to it. The lock is the operating system's lock on a file in the
 * folder, and is released when the process ends.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { openDatabase } from "../../native/sqlite/index.js";
import { TrainerError } from "../errors.js";

const lockFile = ".lock";

/**
 * Runs work while no other caller, in this process or another, writes to the folder.
 *
 * @param folder folder, which is created if necessary
 * @throws {TrainerError} FOLDER_IN_USE, and errors of the work
 */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const file = openDatabase(join(folder, lockFile), { timeout: 0 });
  try {
    lock(file, folder);
    return await work();
  } finally {
    file.close();
  }
}

function lock(file: Database.Database, folder: string): void {
  try {
    file.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "SQLITE_BUSY") throw error;
    throw new TrainerError("FOLDER_IN_USE", `expected ${folder} to be unlocked, but another run is writing to it`);
  }
}
