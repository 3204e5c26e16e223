/** The contract of an output of rows. */
import type { ExportRow } from "./formats.js";

/** Takes rows one by one. Each call resolves when the next row may come. */
export interface RowSink {
  write(row: ExportRow): Promise<void>;
  /** After the last row. */
  end(): Promise<void>;
  /** Removes the beginning of a file. Never rejects. */
  discard(): Promise<void>;
}

/** Name of a file until it is complete. */
export function partOf(path: string): string {
  return `${path}.${process.pid}.part`;
}
