/** The target of a copy. The log is locked, and no gym can use it before the copy is finished. */
import type { TableReader } from "./table-reader.js";
import type { Key, LogTable, Row } from "./tables.js";

/** Rows of a table that were copied. */
export interface TableProgress {
  /** Key of the last row, or null if there is none. */
  after: Key | null;
  rows: number;
  isDone: boolean;
}

export const noProgress: TableProgress = { after: null, rows: 0, isDone: false };

export interface CopyTarget {
  readonly tables: TableReader;
  /** State of the source when the copy began, or null if the copy is new. */
  readonly source: string | null;
  /** Makes the tables of a new copy. */
  begin(source: string): Promise<void>;
  progressOf(table: LogTable): Promise<TableProgress>;
  /**
   * Writes rows and the progress of their table in one transaction.
   *
   * @throws {Error} the progress is not `before`, because another program writes to the same copy
   */
  write(table: LogTable, rows: readonly Row[], before: TableProgress, after: TableProgress): Promise<void>;
  /** Makes the rows a log that a gym can use. @param highestKey highest key so far, which is not used again */
  finish(highestKey: number): Promise<void>;
  /** @throws {Error} the lock was lost, so a gym may have used the log since */
  expectLocked(): Promise<void>;
  close(): Promise<void>;
}

/** Name of the row of the copy's progress that has the state of the source. */
export const sourceRow = "source";

export function otherCopy(): Error {
  return new Error("expected to be the only copy to this log, but another one has written to it");
}
