/**
 * A file beside the log that names its newest rows, as long as a gym has the log open. After a crash, the file shows
 * whether commits are missing. SQLite reads a cut or damaged end of the write-ahead log as an unfinished write.
 *
 * A crash of the process loses no commit. A power failure may lose the newest commits. The gym recognises a power
 * failure by the boot id of the system, which has changed.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import type Database from "better-sqlite3";
import { LogDamage } from "../records/damage.js";
import { bytesOfFile, walOf } from "../records/disk.js";
import { commitsLostIn } from "../salvage/wal.js";

/** Tables to which rows are appended, and the names of their rows for people. */
const tables = {
  pages: "pages of steps",
  episodes: "episodes",
  marks: "ends of episodes",
  handles: "aliases",
} as const;

type Table = keyof typeof tables;
type Newest = Record<Table, number>;

interface Content {
  boot: string;
  newest: Newest;
}

/** Bytes of the file. A write of that size is never torn. */
const fileBytes = 256;

function fileOf(path: string): string {
  return `${path}-newest`;
}

/** The gym's side of the file. */
export class NewestRows {
  private readonly select: Database.Statement;
  private readonly boot = bootId();
  private readonly contentBytes = Buffer.alloc(fileBytes);
  private file: number | null = null;

  /** @param database whose tables have the present schema */
  constructor(
    database: Database.Database,
    private readonly path: string,
  ) {
    this.select = selectNewest(database);
  }

  /** Names the rows of the last commit. A file that cannot be written is removed, since it would name older rows. */
  write(): void {
    try {
      this.file ??= openSync(fileOf(this.path), "w+", 0o600);
      const content: Content = { boot: this.boot, newest: this.select.get() as Newest };
      // This runs at each commit: one buffer is written without a copy.
      this.contentBytes.fill(" ", this.contentBytes.write(JSON.stringify(content), "latin1"));
      writeSync(this.file, this.contentBytes, 0, fileBytes, 0);
    } catch {
      rmSync(fileOf(this.path), { force: true });
      this.closeFile();
    }
  }

  /** Clears the names of the rows until the next `write`. Call it before rows are removed. */
  forget(): void {
    if (this.file !== null) ftruncateSync(this.file);
  }

  /** Removes the file. Call it after the log was closed. */
  close(): void {
    this.closeFile();
    // The write-ahead log stays if its pages could not be moved to the main file.
    if (bytesOfFile(walOf(this.path)) === 0) rmSync(fileOf(this.path), { force: true });
  }

  private closeFile(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }
}

/** Reads which rows were the newest of a log before it was opened. */
export class RowsBefore {
  private readonly content: Content | null;

  constructor(readonly path: string) {
    this.content = contentOf(path);
  }

  /** Returns whether the log is known to have had a row. */
  get hasRows(): boolean {
    return Object.values(this.content?.newest ?? {}).some((count) => count > 0);
  }

  /** Returns whether the system has been started since the last commit. False if the last commit is unknown. */
  get isFromEarlierBoot(): boolean {
    return this.content !== null && this.content.boot !== bootId();
  }

  /**
   * Compares the newest rows with those of the database. Returns a description of the missing rows, such as "at least 3
   * pages of steps", or null if none is missing.
   */
  missingIn(database: Database.Database): string | null {
    if (!this.content) return null;
    const found = newestOf(database);
    const names = Object.keys(tables) as Table[];
    const missing = names.flatMap((table) => {
      const count = (this.content?.newest[table] ?? 0) - found[table];
      return count > 0 ? [`${count} ${tables[table]}`] : [];
    });
    return missing.length === 0 ? null : `at least ${missing.join(" and ")}`;
  }
}

/**
 * Describes the acknowledged commits that the write-ahead log lacks, such as "3 commits follow its damaged part", or
 * returns null if it has all of them. SQLite reads the write-ahead log up to the first damage, without an error.
 */
export function lackOf(before: RowsBefore, database: Database.Database): string | null {
  const lostCommits = commitsLostIn(walOf(before.path));
  const missing = before.missingIn(database);
  const how: string[] = [];
  if (lostCommits > 0) how.push(`${lostCommits} commits follow its damaged part`);
  if (missing !== null) how.push(`it lacks ${missing}`);
  return how.length === 0 ? null : how.join(", and ");
}

/**
 * Checks that the main file exists if the files beside it show that it had commits. Otherwise SQLite would begin a new
 * log, and remove the write-ahead log.
 *
 * @throws {LogDamage}
 */
export function expectMainFile(path: string): void {
  if (bytesOfFile(path) > 0) return;
  if (bytesOfFile(walOf(path)) > 0) throw new LogDamage("The main file", "it is missing beside its write-ahead log");
  if (new RowsBefore(path).hasRows) throw new LogDamage("The main file", "it is missing, although it had rows");
}

function selectNewest(database: Database.Database): Database.Statement {
  const newest = Object.keys(tables).map((table) => `(SELECT coalesce(max(rowid), 0) FROM ${table}) AS ${table}`);
  return database.prepare(`SELECT ${newest.join(", ")}`);
}

/** Returns the newest rows of a database, which has no tables if all of its commits are missing. */
function newestOf(database: Database.Database): Newest {
  const isEmpty = database.pragma("user_version", { simple: true }) === 0;
  if (isEmpty) return { pages: 0, episodes: 0, marks: 0, handles: 0 };
  return selectNewest(database).get() as Newest;
}

function contentOf(path: string): Content | null {
  try {
    return JSON.parse(readFileSync(fileOf(path), "utf8")) as Content;
  } catch {
    return null;
  }
}

/** Returns an id of the system's start. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Without Linux: the minute of the start.
    return `${Math.round((Date.now() / 1_000 - uptime()) / 60)}`;
  }
}
