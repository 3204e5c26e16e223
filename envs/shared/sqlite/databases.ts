import type Database from "better-sqlite3";
import { openDatabase } from "../../../native/sqlite/index.js";
import { Recent } from "../kept/recent.js";

/** Maximum number of open databases. The least recently used database is closed first. */
const mostOpen = 24;
/** Size of the page cache in KiB, for each database file in each process. */
const pageCacheKiB = 16_384;

/** Cache of open databases of this process. */
export class OpenDatabases<Ref> {
  private readonly open = new Recent<Database.Database>(mostOpen, (unused) => unused.close());

  /** @param make opens a database read-only */
  constructor(private readonly make: (ref: Ref) => Database.Database) {}

  /** @throws {Error} the database cannot be opened */
  of(ref: Ref): Database.Database {
    const key = JSON.stringify(ref);
    return this.open.get(key) ?? this.open.set(key, this.make(ref));
  }
}

/**
 * Opens a file read-only.
 *
 * @throws {Error} the file is not a SQLite database or cannot be read
 */
export function openFile(file: string): Database.Database {
  const database = guarded(openDatabase(file, { readonly: true, fileMustExist: true }));
  database.pragma(`cache_size = -${pageCacheKiB}`);
  return database;
}

/** Restricts a database to reading and to sorting in memory, and returns the database. */
export function guarded(database: Database.Database): Database.Database {
  database.pragma("query_only = 1");
  // Memory is limited but the disk is not, so a large sort has to stay in memory.
  database.pragma("temp_store = MEMORY");
  database.pragma("trusted_schema = 0");
  return database;
}
