/** The contract of an output of rows. */
import type { ExportRow } from "./formats.js";

/** Takes rows one by one. Each call resolves when the next row may come. */
export interface RowSink {
  write(row: ExportRow): Promise<void>;
  /** Completes the output, after the last row. */
  end(): Promise<void>;
  /** Removes an incomplete file. Never rejects. */
  discard(): Promise<void>;
}

/** Name of a file that is not yet complete. */
export function partOf(path: string): string {
  return `${path}.${process.pid}.part`;
}
