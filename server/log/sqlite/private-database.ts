import { chmodSync, closeSync, openSync } from "node:fs";
import type Database from "better-sqlite3";
import { openDatabase } from "../../../native/sqlite/index.js";
import { writeRemedy } from "../../config/data-dir.js";

/**
 * Opens a database that only the user of this process can read, since it contains the texts of agents and environments.
 */
export function openPrivately(path: string): Database.Database {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw new Error(`${(error as Error).message}. ${writeRemedy()}`, { cause: error });
  }
  try {
    return openDatabase(path, { timeout: 0 });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith("SQLITE")) throw new Error(`${message}. ${writeRemedy()}`, { cause: error });
    throw error;
  }
}
