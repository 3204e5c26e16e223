/** Opens the log of a stopped gym. */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import type Database from "better-sqlite3";
import { openDatabase } from "../../../native/sqlite/index.js";
import { isDamage, LogDamage } from "../records/damage.js";
import { asidePath } from "../records/disk.js";
import { expectMainFile, lackOf, RowsBefore } from "./newest-rows.js";
import { expectKnownSchema } from "./schema.js";

export class LogInUse extends Error {
  override readonly name = "LogInUse";

  constructor(path: string) {
    super(`A gym uses ${path}. Stop the gym first.`);
  }
}

/**
 * Opens a log for reading. Takes its lock, so that no gym writes meanwhile.
 *
 * @throws {LogInUse} a gym has the log open
 * @throws {LogDamage} the file is empty, since its commits are lost
 * @throws {Error} the file is missing, cannot be read, or is no log of a version that this program knows
 */
export function openClosedLog(path: string): Database.Database {
  const database = openClosedFile(path);
  try {
    const version = database.pragma("user_version", { simple: true }) as number;
    // Without its commits, the file is empty.
    if (version === 0 && lackOf(new RowsBefore(path), database) !== null) throw new LogDamage("The write-ahead log");
    expectKnownSchema(version);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens and locks a database file that may be no log.
 *
 * @throws {LogInUse} another program has locked the file
 * @throws {LogDamage} the main file is missing, although files beside it show that it had commits
 * @throws {Error} the file is missing, or cannot be read
 */
export function openClosedFile(path: string): Database.Database {
  expectMainFile(path);
  const database = openDatabase(path, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    // The lock is taken with the first access.
    database.pragma("user_version");
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    return database;
  } catch (error) {
    database.close();
    throw (error as { code?: string }).code === "SQLITE_BUSY" ? new LogInUse(path) : error;
  }
}

/**
 * Locks a log while `work` runs. If a log is too damaged to be locked, no gym can use it either.
 *
 * @throws {LogInUse} a gym has the log open
 */
export function whileLocked<T>(path: string, work: () => T): T {
  let database: Database.Database | null = null;
  try {
    database = openClosedLog(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  try {
    return work();
  } finally {
    database?.close();
  }
}

/**
 * Moves a log away with the files beside it, if they exist. Otherwise the next log would use these files.
 *
 * @returns the new path `<path>.<word>-<time>`
 */
export function moveAway(path: string, word: string): string {
  const kept = asidePath(path, word);
  for (const suffix of ["", "-wal", "-newest"]) if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  rmSync(`${path}-shm`, { force: true });
  return kept;
}

/**
 * Keeps the write-ahead log while `work` opens and closes the log. SQLite removes the write-ahead log when it closes the
 * log, also if a part of the write-ahead log is damaged and was not read. Does nothing if `work` replaces the log.
 */
export function keepingWal<T>(path: string, work: () => T): T {
  const [wal, kept] = [`${path}-wal`, `${path}-wal.kept`];
  rmSync(kept, { force: true });
  if (!existsSync(wal)) return work();
  const ino = statSync(path, { throwIfNoEntry: false })?.ino;
  try {
    linkSync(wal, kept);
  } catch {
    // The file system has no hard links.
    copyFileSync(wal, kept);
  }
  try {
    return work();
  } finally {
    // The main file may already have the pages of the write-ahead log. A second copy of these pages changes nothing.
    const isReplaced = statSync(path, { throwIfNoEntry: false })?.ino !== ino;
    if (isReplaced || existsSync(wal)) rmSync(kept, { force: true });
    else renameSync(kept, wal);
  }
}
