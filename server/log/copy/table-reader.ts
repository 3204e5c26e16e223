/** Reads the tables of a log in the order of their keys. */
import type { Key, LogTable, Row } from "./tables.js";

export interface TableReader {
  /**
   * Returns the next rows after a key, or the first rows if the key is null. Returns no row at the end of the table.
   *
   * @param most largest number of rows. By default, rows of some megabytes are returned.
   */
  read(table: LogTable, after: Key | null, most?: number): Promise<readonly Row[]>;
  /** Returns the key of the last row, or null if the table is empty. */
  lastKey(table: LogTable): Promise<Key | null>;
  count(table: LogTable): Promise<number>;
}
