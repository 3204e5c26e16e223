/** Reads and writes the tables of a log in SQLite. */
import type Database from "better-sqlite3";
import { isDamage, LogDamage } from "../records/damage.js";
import { chunkCharacters, mostChunkRows } from "./chunks.js";
import type { TableReader } from "./table-reader.js";
import { charactersOf, type Key, type LogTable, type Row } from "./tables.js";

export class SqliteTables implements TableReader {
  private readonly statements = new Map<string, Database.Statement>();

  constructor(private readonly database: Database.Database) {}

  async read(table: LogTable, after: Key | null, most = mostChunkRows): Promise<readonly Row[]> {
    const { columns, keys, from } = namesOf(table);
    const bounds = keys.map(() => "?").join(", ");
    const where = after === null ? "" : `WHERE (${keys.join(", ")}) > (${bounds})`;
    const select = this.prepare(
      `SELECT ${columns.join(", ")} FROM ${from} ${where} ORDER BY ${keys.join(", ")} LIMIT ?`,
    );
    const rows: Row[] = [];
    let characters = 0;
    return named(table, () => {
      for (const row of select.raw().iterate(...(after ?? []), most) as Iterable<Row>) {
        rows.push(row);
        characters += charactersOf(row);
        if (characters >= chunkCharacters) break;
      }
      return rows;
    });
  }

  async lastKey(table: LogTable): Promise<Key | null> {
    const { keys, from } = namesOf(table);
    const last = keys.map((key) => `${key} DESC`).join(", ");
    const select = this.prepare(`SELECT ${keys.join(", ")} FROM ${from} ORDER BY ${last} LIMIT 1`);
    return named(table, () => (select.raw().get() as number[] | undefined) ?? null);
  }

  async count(table: LogTable): Promise<number> {
    const select = this.prepare(`SELECT count(*) FROM ${namesOf(table).from}`);
    return named(table, () => select.pluck().get() as number);
  }

  insert(table: LogTable, rows: readonly Row[]): void {
    const { columns, from } = namesOf(table);
    const insert = this.prepare(
      `INSERT INTO ${from} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of rows) insert.run(...row);
  }

  private prepare(sql: string): Database.Statement {
    const statement = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

function namesOf({ name, columns, keyLength, inSqlite }: LogTable) {
  const names = columns.map((column) => inSqlite.columns?.[column] ?? column);
  return { columns: names, keys: names.slice(0, keyLength), from: inSqlite.table ?? name };
}

/** @throws {LogDamage} SQLite cannot read the table because of damage */
function named<T>(table: LogTable, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new LogDamage(`The table of ${table.name} (${(error as Error).message})`);
  }
}
