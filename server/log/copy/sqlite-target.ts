/** The target of a copy to SQLite. Until the copy is finished, the file has a schema version that no gym accepts. */
import { closeSync, existsSync, fsyncSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type Database from "better-sqlite3";
import { addRowSum, rowSumOf } from "../records/row-sums.js";
import { countUsage } from "../records/usage.js";
import { LogInUse, openClosedFile } from "../sqlite/closed-log.js";
import { openPrivately } from "../sqlite/private-database.js";
import { migrate, schemaVersion, unfinishedVersion } from "../sqlite/schema.js";
import { SqliteTables } from "./sqlite-tables.js";
import type { LogTable, Row } from "./tables.js";
import { type CopyTarget, noProgress, sourceRow, type TableProgress } from "./target.js";

/** Number of database pages in the write-ahead log after which it is copied to the main file: 64 MiB. */
const checkpointPages = 16_384;

export class SqliteTarget implements CopyTarget {
  readonly tables: SqliteTables;

  private constructor(
    private readonly path: string,
    private readonly database: Database.Database,
    readonly source: string | null,
  ) {
    this.tables = new SqliteTables(database);
  }

  /** @throws {Error} the file has something else than an unfinished copy @throws {LogInUse} */
  static async open(path: string): Promise<SqliteTarget> {
    const isNew = !existsSync(path) || statSync(path).size === 0;
    if (!isNew) expectUnfinished(path);
    const database = openPrivately(path);
    try {
      database.pragma("locking_mode = EXCLUSIVE");
      if (isNew) database.pragma("auto_vacuum = INCREMENTAL");
      database.pragma("journal_mode = WAL");
      // A crash of the machine may lose the newest rows, and their progress with them.
      database.pragma("synchronous = NORMAL");
      database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
      return new SqliteTarget(path, database, hasTables(database) ? storedValue(database, sourceRow) : null);
    } catch (error) {
      database.close();
      throw (error as { code?: string }).code === "SQLITE_BUSY" ? new LogInUse(path) : error;
    }
  }

  async begin(source: string): Promise<void> {
    this.database.transaction(() => {
      migrate(this.database);
      this.database.exec("CREATE TABLE copying (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
      this.database.prepare("INSERT INTO copying VALUES (?, ?)").run(sourceRow, source);
      this.database.pragma(`user_version = ${unfinishedVersion}`);
    })();
  }

  async progressOf({ name }: LogTable): Promise<TableProgress> {
    const value = storedValue(this.database, name);
    return value === null ? noProgress : (JSON.parse(value) as TableProgress);
  }

  async write(table: LogTable, rows: readonly Row[], _before: TableProgress, after: TableProgress): Promise<void> {
    this.database.transaction(() => {
      this.tables.insert(table, rows);
      this.database.prepare("INSERT OR REPLACE INTO copying VALUES (?, ?)").run(table.name, JSON.stringify(after));
    })();
  }

  async finish(highestKey: number): Promise<void> {
    this.database.pragma("synchronous = FULL");
    this.database.transaction(() => {
      this.database.exec(`DELETE FROM usage; ${countUsage}`);
      addRowSum(this.database);
      this.database.exec("UPDATE indexed SET upTo = (SELECT coalesce(max(page), 0) FROM pages)");
      this.database.exec(`UPDATE indexed SET sum = ${rowSumOf("indexed")}`);
      this.database.exec("DELETE FROM sqlite_sequence WHERE name = 'episodes'");
      this.database.prepare("INSERT INTO sqlite_sequence VALUES ('episodes', ?)").run(highestKey);
      this.database.exec("DROP TABLE copying");
      this.database.pragma(`user_version = ${schemaVersion}`);
    })();
    this.database.pragma("wal_checkpoint(TRUNCATE)");
    this.database.close();
    for (const path of [this.path, dirname(this.path)]) flush(path);
  }

  async expectLocked(): Promise<void> {
    // The lock on the file lasts until it is closed.
  }

  async close(): Promise<void> {
    this.database.close();
  }
}

/** @throws {Error} the file has something else than an unfinished copy @throws {LogInUse} */
function expectUnfinished(path: string): void {
  const database = openClosedFile(path);
  try {
    const version = database.pragma("user_version", { simple: true });
    // A copy may have been stopped before it made its tables.
    if (version === unfinishedVersion || (version === 0 && !hasTables(database))) return;
    throw new Error(`expected a new file, or an unfinished copy, but ${path} has a log`);
  } finally {
    database.close();
  }
}

function hasTables(database: Database.Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master").get() !== undefined;
}

function storedValue(database: Database.Database, name: string): string | null {
  const find = database.prepare("SELECT value FROM copying WHERE name = ?").pluck();
  return (find.get(name) as string | undefined) ?? null;
}

function flush(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
