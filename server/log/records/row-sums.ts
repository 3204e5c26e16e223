/**
 * Checksums of rows: of episodes, marks, aliases, and the index of steps. Each row has the checksum of its values,
 * since a row with a changed bit may still be readable. Pages and reset results have checksums of their texts.
 */
import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import { LogDamage } from "./damage.js";

/** Columns that a checksum covers, in order, by table. The names are those of PostgreSQL. */
export const summedColumns = {
  episodes: [
    ...["key", "id", "environment", "split", "taskIndex", "seed", "options", "maxSteps", "owner", "createdAtMs"],
    ...["leaseMs", "parent", "idempotencyKey", "requestDigest"],
  ],
  marks: ["episode", "kind", "detail", "atMs"],
  aliases: ["namespace", "alias", "owner", "episodeId", "atMs"],
  extents: ["episode", "lastIndex", "firstPage", "lastPage", "places", "bytes"],
} as const;

export type SummedTable = keyof typeof summedColumns;

/** Names of the same columns in SQLite, with those of the last page that is indexed. */
export const summedInSqlite = {
  episodes: summedColumns.episodes,
  marks: summedColumns.marks,
  handles: ["surface", "handle", "owner", "episodeId", "atMs"],
  extents: summedColumns.extents,
  indexed: ["upTo"],
} as const;

/** Returns the checksum of a row's values: the first 32 bits of their SHA-256. PostgreSQL has the same function. */
export function rowSum(values: readonly unknown[]): number {
  const text = values.map((value) => (value === null ? "\\N" : value)).join("\n");
  return Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16);
}

/** Returns whether the values of a row match its checksum. A row of an earlier version may have no checksum. */
export function isSoundRow(values: readonly unknown[], sum: number | null): boolean {
  return sum === null || rowSum(values) === sum;
}

/** @param row a row with its checksum @param part description of the row for messages @throws {LogDamage} */
export function expectSoundRow(table: SummedTable, row: object, part: string): void {
  const { sum, ...values } = row as Record<string, unknown> & { sum: number | null };
  if (
    !isSoundRow(
      summedColumns[table].map((column) => values[column]),
      sum,
    )
  )
    throw new LogDamage(part);
}

/** Returns a description of a row for messages. @param values of the columns that its checksum covers */
export function nameOfRow(table: keyof typeof summedInSqlite | "aliases", values: readonly unknown[]): string {
  const [first, second] = values;
  switch (table) {
    case "episodes":
      return `The row of episode ${first}`;
    case "marks":
      return `A mark of episode ${first}`;
    case "extents":
      return `The index of steps up to ${second} of episode ${first}`;
    case "indexed":
      return "The number of the last page in the index of steps";
    default:
      return `The alias ${second} of ${first}`;
  }
}

export interface DamagedRow {
  /** Name of the row in messages. */
  name: string;
  /** Key of the row's episode, or null if it has none. */
  episode: number | null;
}

/** Finds the rows that differ from their checksums. Tables of an earlier version have no checksums. */
export function* damagedRows(database: Database.Database): Iterable<DamagedRow> {
  addRowSum(database);
  for (const table of Object.keys(summedInSqlite) as (keyof typeof summedInSqlite)[]) {
    const columns = database.pragma(`table_info(${table})`) as { name: string }[];
    if (!columns.some(({ name }) => name === "sum")) continue;
    const select = `SELECT ${summedInSqlite[table].join(", ")} FROM ${table} WHERE sum <> ${rowSumOf(table)}`;
    for (const row of database.prepare(select).raw().iterate() as Iterable<unknown[]>) {
      const hasEpisode = table !== "handles" && table !== "indexed";
      yield { name: nameOfRow(table, row), episode: hasEpisode ? (row[0] as number) : null };
    }
  }
}

/** Adds the function `rowSum(value, ...)`, with which statements compute checksums. */
export function addRowSum(database: Database.Database): void {
  database.function("rowSum", { deterministic: true, varargs: true }, (...values: unknown[]) => rowSum(values));
}

/** Expression for the checksum of a row in SQLite. */
export function rowSumOf(table: keyof typeof summedInSqlite): string {
  return `rowSum(${summedInSqlite[table].join(", ")})`;
}
