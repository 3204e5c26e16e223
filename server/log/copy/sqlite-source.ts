import type Database from "better-sqlite3";
import { checkedText, LogDamage, type StoredText } from "../records/damage.js";
import { faultsOf } from "../salvage/database-file.js";
import { changedTables } from "../sqlite/backup-sums.js";
import { keepingWal, openClosedLog } from "../sqlite/closed-log.js";
import { schemaVersion } from "../sqlite/schema.js";
import { NewestExtents, ReaderWithNewest } from "./newest-extents.js";
import type { CopySource } from "./source.js";
import { SqliteTables } from "./sqlite-tables.js";

/** A log in SQLite that is copied. */
export class SqliteSource implements CopySource {
  readonly tables: ReaderWithNewest;
  readonly highestKey: number;

  private constructor(private readonly database: Database.Database) {
    const [changed] = changedTables(database);
    if (changed !== undefined) throw new LogDamage(`The table of ${changed}`);
    this.highestKey = database
      .prepare("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'episodes'")
      .pluck()
      .get() as number;
    this.tables = new ReaderWithNewest(new SqliteTables(database), newestExtents(database));
  }

  /** @throws {LogInUse} a gym has the log open @throws {LogDamage} */
  static async open(path: string): Promise<SqliteSource> {
    const { isCut, lostCommits } = keepingWal(path, () => {
      const faults = faultsOf(path);
      openClosedLog(path).close();
      return faults;
    });
    if (isCut) throw new LogDamage("The end of the file");
    if (lostCommits > 0) throw new LogDamage("The write-ahead log");
    const database = openClosedLog(path);
    try {
      expectPresentSchema(database);
      return new SqliteSource(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async expectLocked(): Promise<void> {
    // The lock on the file lasts until it is closed.
  }

  async close(): Promise<void> {
    this.database.close();
  }
}

function newestExtents(database: Database.Database): NewestExtents {
  const newest = new NewestExtents();
  const select = database.prepare(
    "SELECT page, lines AS text, pages.sum FROM pages JOIN indexed ON page > upTo ORDER BY page",
  );
  for (const { page, ...stored } of select.iterate() as Iterable<StoredText & { page: number }>)
    newest.add(0, page, checkedText(stored, `Page ${page}`));
  return newest;
}

/** @throws {Error} the log has an older version */
function expectPresentSchema(database: Database.Database): void {
  const version = database.pragma("user_version", { simple: true }) as number;
  if (version === schemaVersion) return;
  const remedy = "Start and stop a gym with this log, which brings it to the present version";
  throw new Error(
    `expected an episode log with schema version ${schemaVersion}, but received version ${version}. ${remedy}`,
  );
}
