import Database from "better-sqlite3";
import { Recent } from "../kept/recent.js";

/** Databases that are kept open: those used last. */
const mostOpen = 24;
/** KiB that a process keeps of a file's pages. */
const pageCacheKiB = 16_384;

/** Databases that are open in this process. */
export class OpenDatabases<Ref> {
  private readonly open = new Recent<Database.Database>(mostOpen, (unused) => unused.close());

  /** @param make opens a database, read-only */
  constructor(private readonly make: (ref: Ref) => Database.Database) {}

  /** @throws {Error} the database cannot be opened */
  of(ref: Ref): Database.Database {
    const key = JSON.stringify(ref);
    return this.open.get(key) ?? this.open.set(key, this.make(ref));
  }
}

/** Opens a file, read-only. @throws {Error} the file is none of SQLite's, or cannot be read */
export function openFile(file: string): Database.Database {
  const database = guarded(new Database(file, { readonly: true, fileMustExist: true }));
  database.pragma(`cache_size = -${pageCacheKiB}`);
  return database;
}

/** The same database, with bounds on what SQL can do with it. */
export function guarded(database: Database.Database): Database.Database {
  database.pragma("query_only = 1");
  // A sort that grows without end is bounded in memory, and would not be on disk.
  database.pragma("temp_store = MEMORY");
  database.pragma("trusted_schema = 0");
  return database;
}
