/** The contract of an output of rows. */
import type { ExportRow } from "../../server/formats/training/rows.js";

/** Writes a row. Resolves when the sink is ready for the next row. */
export interface RowSink {
  write(row: ExportRow): Promise<void>;
  /** Completes the output, after the last row. */
  end(): Promise<void>;
  /** Removes an incomplete file. Never rejects. */
  discard(): Promise<void>;
}

/** Returns the temporary name of a file that is not yet complete. */
export function partOf(path: string): string {
  return `${path}.${process.pid}.part`;
}
