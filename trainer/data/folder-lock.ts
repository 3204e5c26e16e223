/**
 * A folder that one run at a time writes to. The lock is the operating system's, on a file in the folder: whoever dies
 * with it leaves none behind.
 */
import { TrainerError } from "../errors.js";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

const lockFile = ".lock";

/**
 * @param folder made where there is none
 * @param work that is done while nobody else, of this process or another, writes there
 * @throws {TrainerError}, and what the work throws
 */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const file = new Database(join(folder, lockFile), { timeout: 0 });
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
    throw new TrainerError("FOLDER_IN_USE", `expected ${folder} to be free, but received a folder that another run is writing to`);
  }
}
