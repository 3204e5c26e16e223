import type Database from "better-sqlite3";
import { openDatabase } from "../../../native/sqlite/index.js";
import { guarded, OpenDatabases, openFile } from "../../shared/sqlite/databases.js";
import { schemaOf } from "../schemas/index.js";
import { createStatements } from "../schemas/schema.js";
import type { DatabaseRef } from "./request.js";
import { insertStatement, rowsOf } from "./rows.js";

const databases = new OpenDatabases((ref: DatabaseRef) =>
  "file" in ref ? openFile(ref.file) : made(ref.schema, ref.seed),
);

/**
 * Opens a database read-only.
 *
 * @throws {Error} the file is not a SQLite database or cannot be read
 */
export function databaseOf(ref: DatabaseRef): Database.Database {
  return databases.of(ref);
}

function made(name: string, seed: number): Database.Database {
  const schema = schemaOf(name);
  const rows = rowsOf(schema, seed);
  const database = openDatabase(":memory:");
  for (const statement of createStatements(schema)) database.exec(statement);
  database.exec("BEGIN");
  for (const table of schema.tables) {
    const insert = database.prepare(insertStatement(table));
    for (const row of rows.get(table.name) as unknown[][]) insert.run(row);
  }
  database.exec("COMMIT");
  const bytes = database.serialize();
  database.close();
  // The copy is opened again as read-only, so no SQL can change the database.
  return guarded(openDatabase(bytes, { readonly: true }));
}
