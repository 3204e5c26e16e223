/** Parts of statements that several statements have. */
import type { EpisodeRow } from "../../records/protocol.js";
import { type SummedTable, summedColumns } from "../../records/row-sums.js";

/** Columns of an episode, in the order of the table. */
export const episodeColumns = {
  key: "bigint",
  id: "text",
  environment: "text",
  split: "text",
  taskIndex: "bigint",
  seed: "bigint",
  options: "text",
  maxSteps: "bigint",
  owner: "text",
  createdAtMs: "bigint",
  leaseMs: "bigint",
  parent: "text",
  idempotencyKey: "text",
  requestDigest: "text",
} as const satisfies Record<keyof EpisodeRow, string>;

export const extentColumns = {
  episode: "bigint",
  lastIndex: "bigint",
  firstPage: "bigint",
  lastPage: "bigint",
  places: "text",
  bytes: "bigint",
} as const;

/** Returns the names of columns as a list. */
export function listOf(columns: object): string {
  return Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(", ");
}

/** Returns a table `r` of the rows in the JSON array of the parameter `$n`. */
export function rowsOf(parameter: number, columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `json_to_recordset($${parameter}::json) AS r(${typed.join(", ")})`;
}

/** Expression for the checksum of a row of a table, which is `row` or the table itself. */
export function rowSumOf(table: SummedTable, row?: string): string {
  const values = summedColumns[table].map((column) => `${row === undefined ? "" : `${row}.`}"${column}"::text`);
  return `palestra.row_sum(${values.join(", ")})`;
}

/** Returns the start of an insert of rows `r` with their checksums. @param columns in the order of the checksum */
export function insertSummed(table: SummedTable): string {
  const columns = summedColumns[table].map((column) => `"${column}"`);
  const values = columns.map((column) => `r.${column}`);
  return `INSERT INTO palestra.${table} (${columns.join(", ")}, sum) SELECT ${values.join(", ")}, ${rowSumOf(table, "r")}`;
}

/** Clause of an insert into `usage` that adds the bytes to an existing row. */
export const addBytes = `ON CONFLICT (owner, incarnation) DO UPDATE SET bytes = usage.bytes + excluded.bytes`;
