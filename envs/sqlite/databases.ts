import Database from "better-sqlite3";
import { Recent } from "../kept/recent.js";

/** Number of recently used databases that stay open. */
const mostOpen = 24;
/** Page cache per database file and process, in KiB. */
const pageCacheKiB = 16_384;

/** Cache of the databases that are open in this process. */
export class OpenDatabases<Ref> {
  private readonly open = new Recent<Database.Database>(mostOpen, (unused) => unused.close());

  /** @param make function that opens a database read-only */
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
  const database = guarded(new Database(file, { readonly: true, fileMustExist: true }));
  database.pragma(`cache_size = -${pageCacheKiB}`);
  return database;
}

/** Restricts the SQL that can run on a database, and returns the database. */
export function guarded(database: Database.Database): Database.Database {
  database.pragma("query_only = 1");
  // Memory is limited but the disk is not, so a large sort has to stay in memory.
  database.pragma("temp_store = MEMORY");
  database.pragma("trusted_schema = 0");
  return database;
}
