/** Reads groups of rows of PostgreSQL. A group is bounded in bytes, because a page or a reset result may have megabytes. */
import { chunkBytes } from "./chunks.js";

export interface BoundedSelect {
  columns: readonly string[];
  /** Columns of texts, whose bytes are counted. */
  texts: readonly string[];
  /** Table, and the condition that selects its rows. */
  from: string;
  /** Columns by which the rows are ordered. No two rows have the same values in them. */
  keys: readonly string[];
  /** Largest number of rows, or a parameter such as `$1`. */
  most: number | string;
}

/**
 * Returns the statement that selects the first rows whose texts have at most `chunkBytes` together, and at least one row.
 * PostgreSQL knows the size of a large text without reading it.
 */
export function boundedSelect({ columns, texts, from, keys, most }: BoundedSelect): string {
  const names = columns.join(", ");
  const order = keys.join(", ");
  const bytes = texts.map((text) => `coalesce(octet_length(${text}), 0)::bigint`).join(" + ");
  return `SELECT ${names} FROM (
      SELECT ${names}, ${bytes} AS row_bytes, sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS group_bytes
        FROM ${from} ORDER BY ${order} LIMIT ${most}
    ) AS first_rows WHERE group_bytes <= ${chunkBytes} OR group_bytes = row_bytes ORDER BY ${order}`;
}
