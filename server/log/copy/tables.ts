/** The tables of the episode log that a copy transfers row by row, with their names in both databases. */

import { episodeColumns, extentColumns } from "../postgres/session/sql.js";
import { checksum, isIntact, LogDamage } from "../records/damage.js";
import { isSoundRow, nameOfRow, rowSum, type SummedTable, summedColumns } from "../records/row-sums.js";

export type Value = string | number | null;
/** Values of a row, in the order of `LogTable.columns`. */
export type Row = readonly Value[];
/** Values of the key columns of a row. */
export type Key = readonly number[];

export interface LogTable {
  /** Name in PostgreSQL. */
  name: string;
  /** Columns in PostgreSQL. The first ones are the key, by which the rows are ordered. */
  columns: readonly string[];
  keyLength: number;
  /** Columns of texts, in PostgreSQL. */
  texts: readonly string[];
  /** Names in SQLite that differ from those in PostgreSQL. */
  inSqlite: { table?: string; columns?: Readonly<Record<string, string>> };
  /** Position of a text that has its checksum in the next column. In other tables, the last column is the checksum of the row. */
  checked?: { at: number; part(key: number): string };
  /** Whether PostgreSQL numbers the rows. */
  isNumbered: boolean;
}

/** Number of a row. The newest row of an alias has the highest number. */
const entry = { entry: "rowid" };

/** Tables in the order in which they are copied. */
export const logTables: readonly LogTable[] = [
  {
    name: "episodes",
    columns: [...summedColumns.episodes, "sum"],
    keyLength: 1,
    texts: textsOf(episodeColumns),
    inSqlite: {},
    isNumbered: false,
  },
  {
    name: "openings",
    columns: ["episode", "opening", "sum"],
    keyLength: 1,
    texts: ["opening"],
    inSqlite: {},
    checked: { at: 1, part: (key) => `The reset result of episode ${key}` },
    isNumbered: false,
  },
  {
    name: "pages",
    columns: ["page", "lines", "sum", "atMs"],
    keyLength: 1,
    texts: ["lines"],
    inSqlite: {},
    checked: { at: 1, part: (key) => `Page ${key}` },
    isNumbered: false,
  },
  {
    name: "extents",
    columns: [...summedColumns.extents, "sum"],
    keyLength: 2,
    texts: textsOf(extentColumns),
    inSqlite: {},
    isNumbered: false,
  },
  {
    name: "marks",
    columns: ["entry", ...summedColumns.marks, "sum"],
    keyLength: 1,
    texts: ["kind", "detail"],
    inSqlite: { columns: entry },
    isNumbered: true,
  },
  {
    name: "aliases",
    columns: ["entry", ...summedColumns.aliases, "sum"],
    keyLength: 1,
    texts: ["namespace", "owner", "episodeId"],
    inSqlite: { table: "handles", columns: { ...entry, namespace: "surface", alias: "handle" } },
    isNumbered: true,
  },
];

function textsOf(columns: Readonly<Record<string, string>>): string[] {
  return Object.keys(columns).filter((name) => columns[name] === "text");
}

export function keyOfRow({ keyLength }: LogTable, row: Row): Key {
  return row.slice(0, keyLength) as number[];
}

/** Returns a negative number if the key `a` comes first, and a positive one if `b` does. */
export function compareKeys(a: Key, b: Key): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return 0;
}

/** Returns the number of characters of a row's texts. */
export function charactersOf(row: Row): number {
  let characters = 0;
  for (const value of row) if (typeof value === "string") characters += value.length;
  return characters;
}

/** Compares rows with their checksums, and adds checksums that are missing. @throws {LogDamage} */
export function checkedRows(table: LogTable, rows: readonly Row[]): readonly Row[] {
  const { checked } = table;
  if (!checked) return rows.map((row) => withSum(table, row));
  const { at, part } = checked;
  return rows.map((row) => {
    const stored = { text: row[at] as string, sum: row[at + 1] as number | null };
    if (!isIntact(stored)) throw new LogDamage(part(row[0] as number));
    return stored.sum === null ? row.with(at + 1, checksum(stored.text)) : row;
  });
}

/** Returns the damaged part if the checksum of a row is wrong, or null. @param table a table without `checked` */
export function damagedPart(table: LogTable, row: Row): string | null {
  const values = summedValues(table, row);
  return isSoundRow(values, row.at(-1) as number | null) ? null : nameOfRow(table.name as SummedTable, values);
}

/** The number of a row is not in its checksum, since it is known only when the row is written. */
function summedValues({ isNumbered }: LogTable, row: Row): Row {
  return row.slice(isNumbered ? 1 : 0, -1);
}

function withSum(table: LogTable, row: Row): Row {
  const part = damagedPart(table, row);
  if (part !== null) throw new LogDamage(part);
  return row.at(-1) === null ? row.with(-1, rowSum(summedValues(table, row))) : row;
}
