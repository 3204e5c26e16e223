import Database from "better-sqlite3";
import { schemaOf } from "../schemas/index.js";
import { createStatements } from "../schemas/schema.js";
import type { DatabaseRef } from "./request.js";
import { insertStatement, rowsOf } from "./rows.js";

/** Databases that are kept open: those used last. */
const mostOpen = 24;
/** Bytes that a process keeps of a file's pages. */
const pageCacheKiB = 16_384;

const open = new Map<string, Database.Database>();

/** The database, read-only. @throws {Error} the file is none of SQLite's, or cannot be read */
export function databaseOf(ref: DatabaseRef): Database.Database {
  const key = JSON.stringify(ref);
  const kept = open.get(key);
  if (kept) open.delete(key);
  const database = kept ?? ("file" in ref ? opened(ref.file) : made(ref.schema, ref.seed));
  open.set(key, database);
  if (open.size > mostOpen) {
    const [oldest, unused] = open.entries().next().value as [string, Database.Database];
    open.delete(oldest);
    unused.close();
  }
  return database;
}

function made(name: string, seed: number): Database.Database {
  const schema = schemaOf(name);
  const rows = rowsOf(schema, seed);
  const database = new Database(":memory:");
  for (const statement of createStatements(schema)) database.exec(statement);
  database.exec("BEGIN");
  for (const table of schema.tables) {
    const insert = database.prepare(insertStatement(table));
    for (const row of rows.get(table.name) as unknown[][]) insert.run(row);
  }
  database.exec("COMMIT");
  const bytes = database.serialize();
  database.close();
  // A copy that was opened read-only cannot be written to by any means.
  return guarded(new Database(bytes, { readonly: true }));
}

function opened(file: string): Database.Database {
  const database = guarded(new Database(file, { readonly: true, fileMustExist: true }));
  database.pragma(`cache_size = -${pageCacheKiB}`);
  return database;
}

function guarded(database: Database.Database): Database.Database {
  database.pragma("query_only = 1");
  // Of a sort that grows without end, memory is bounded and the disk is not.
  database.pragma("temp_store = MEMORY");
  database.pragma("trusted_schema = 0");
  return database;
}
