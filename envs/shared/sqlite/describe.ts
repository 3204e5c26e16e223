/** Describes the schema of a database as text for the agent. */
import type Database from "better-sqlite3";
import { runQuery } from "./query.js";
import type { Description } from "./request.js";

/** Number of sample rows in the description of a table. */
const sampleRows = 3;
const mostText = 16_000;

interface Master {
  name: string;
  sql: string;
}

/**
 * Returns the `CREATE` statements of all tables, or the `CREATE` statement and the first rows of one table. For an
 * unknown table, returns an error with the names of all tables.
 */
export function describe(database: Database.Database, table?: string): Description {
  const tables = database
    .prepare<[], Master>(
      "SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .all();
  if (table === undefined) return schema(tables.map(({ sql }) => `${sql};`).join("\n"));
  const found = tables.find(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (found) return describeTable(database, found);
  const names = tables.map(({ name }) => name).join(", ");
  return { kind: "error", text: `Error: expected one of the tables ${names}, but received ${table.slice(0, 100)}` };
}

function describeTable(database: Database.Database, { name, sql }: Master): Description {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const sample = runQuery(database, `SELECT * FROM ${quoted} LIMIT ${sampleRows}`);
  // For example, the table may be a view of a deleted table.
  if (sample.kind === "error") return { kind: "error", text: cut(`${sql};\n\n${sample.text}`) };
  const [{ count }] = database.prepare(`SELECT COUNT(*) AS count FROM ${quoted}`).all() as [{ count: number }];
  return schema(`${sql};\n\n${count} rows. The first of them:\n${sample.text}`);
}

function schema(text: string): Description {
  return { kind: "schema", text: cut(text) };
}

function cut(text: string): string {
  return text.length <= mostText ? text : `${text.slice(0, mostText)}…`;
}
