/**
 * The file of a run's episodes, with one line of JSON for each. An episode is written when it ends, so an interrupted
 * run can be continued. The first line describes the measurement; a file of a different measurement is refused.
 */

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { TrainerError } from "../errors.js";
import type { EpisodeRecord } from "./record.js";

/** Facts that must be equal in all runs that write to one file. */
export type Measurement = Readonly<Record<string, unknown>>;

export class RecordFile {
  private constructor(
    private readonly file: number,
    /** Records of earlier runs, in the order in which they were written. */
    readonly found: readonly EpisodeRecord[],
  ) {}

  /** Opens or creates a file. @throws {TrainerError} MEASUREMENT_CHANGED, and errors of the file system */
  static open(path: string, measurement: Measurement): RecordFile {
    mkdirSync(dirname(path), { recursive: true });
    // Convert the measurement to JSON values, to compare it with the file.
    const wanted = JSON.parse(JSON.stringify(measurement)) as Measurement;
    const lines = existsSync(path) ? wholeLines(path) : [];
    const [header, ...records] = lines.map((line) => JSON.parse(line) as unknown);
    if (header !== undefined) check(path, header as Measurement, wanted);
    const file = openSync(path, "a");
    if (header === undefined) writeSync(file, `${JSON.stringify(wanted)}\n`);
    return new RecordFile(file, records as EpisodeRecord[]);
  }

  /** Writes a record. Returns once the line is passed to the operating system. */
  append(record: EpisodeRecord): void {
    writeSync(this.file, `${JSON.stringify(record)}\n`);
  }

  close(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }
}

/** Reads the complete lines. An incomplete last line, left by a process that died, is removed from the file. */
function wholeLines(path: string): string[] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
  return bytes.subarray(0, end).toString().split("\n").slice(0, -1);
}

function check(path: string, found: Measurement, wanted: Measurement): void {
  const keys = [...new Set([...Object.keys(found), ...Object.keys(wanted)])];
  const other = keys.filter((key) => !isDeepStrictEqual(found[key], wanted[key]));
  if (other.length === 0) return;
  const said = (measurement: Measurement) =>
    other.map((key) => `${key} ${JSON.stringify(measurement[key])}`).join(", ");
  throw new TrainerError(
    "MEASUREMENT_CHANGED",
    `expected ${path} to contain episodes with ${said(wanted)}, but received ${said(found)}`,
  );
}
