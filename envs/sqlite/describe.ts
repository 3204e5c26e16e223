/** The schema of a database as text, for the agent. */
import type Database from "better-sqlite3";
import { runQuery } from "./query.js";
import type { Description } from "./request.js";

/** Rows of a table that are shown. */
const sampleRows = 3;
const mostText = 16_000;

interface Master {
  name: string;
  sql: string;
}

/** The statements that made the tables; of one table also its first rows. A wrong name is answered with the right ones. */
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
  // Such as a view of a table that is gone.
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
