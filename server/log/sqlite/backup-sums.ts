/**
 * Checksums of the whole tables of episodes, marks and aliases in a backup, until a gym uses it as its log. They detect
 * a missing row, which the checksums of rows cannot.
 */
import { crc32 } from "node:zlib";
import type Database from "better-sqlite3";
import { LogDamage } from "../records/damage.js";

/** Tables of the log, and their names for people. */
const tables = { episodes: "episodes", marks: "marks", handles: "aliases" } as const;

/** Content of a table: the number of rows, the last rowid, and the checksum of all rows. */
type Content = readonly [rows: number, lastRow: number, sum: number];

type Contents = Record<keyof typeof tables, Content>;

/** Stores the checksums in a backup. */
export function storeRowSums(database: Database.Database): void {
  const sums = JSON.stringify(Object.fromEntries(namesOf().map((table) => [table, contentOf(database, table)])));
  database.exec(`DROP TABLE IF EXISTS rowSums; CREATE TABLE rowSums (sums TEXT NOT NULL)`);
  database.prepare(`INSERT INTO rowSums VALUES (?)`).run(sums);
}

/** Returns the names of the tables that differ from the checksums in the file. A file without checksums has none. */
export function changedTables(database: Database.Database): string[] {
  if (!hasRowSums(database)) return [];
  const stored = JSON.parse(database.prepare(`SELECT sums FROM rowSums`).pluck().get() as string) as Contents;
  // A gym of an earlier version may have used the file, and kept the checksums.
  const isOutdated = namesOf().some((table) => {
    const [rows, lastRow] = sizeOf(database, table);
    return rows !== stored[table][0] || lastRow !== stored[table][1];
  });
  if (isOutdated) return [];
  return namesOf()
    .filter((table) => contentOf(database, table)[2] !== stored[table][2])
    .map((table) => tables[table]);
}

/** Removes the checksums, because the tables are about to change. @throws {LogDamage} a table differs from its checksum */
export function dropRowSums(database: Database.Database): void {
  if (!hasRowSums(database)) return;
  const [changed] = changedTables(database);
  if (changed !== undefined) throw new LogDamage(`The table of ${changed}`);
  database.exec(`DROP TABLE rowSums`);
}

function hasRowSums(database: Database.Database): boolean {
  return database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'rowSums'`).get() !== undefined;
}

function namesOf(): (keyof typeof tables)[] {
  return Object.keys(tables) as (keyof typeof tables)[];
}

function sizeOf(database: Database.Database, table: string): [rows: number, lastRow: number] {
  const size = database.prepare(`SELECT count(*), coalesce(max(rowid), 0) FROM ${table}`).raw().get();
  return size as [number, number];
}

function contentOf(database: Database.Database, table: string): Content {
  let sum = 0;
  for (const row of database.prepare(`SELECT rowid, * FROM ${table} ORDER BY rowid`).raw().iterate())
    sum = crc32(JSON.stringify(row), sum);
  return [...sizeOf(database, table), sum];
}
