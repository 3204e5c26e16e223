/**
 * The episodes of a run, a line of JSON each, written as they finish: a run that was cut short goes on where it was. The
 * first line says what is measured; a file of another measurement is not added to.
 */

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { TrainerError } from "../errors.js";
import type { EpisodeRecord } from "./record.js";

/** What two runs have in common whose episodes may be put together. */
export type Measurement = Readonly<Record<string, unknown>>;

export class RecordFile {
  private constructor(
    private readonly file: number,
    /** What earlier runs left, in the order in which it was written. */
    readonly found: readonly EpisodeRecord[],
  ) {}

  /** @throws {TrainerError}, and errors of the file system */
  static open(path: string, measurement: Measurement): RecordFile {
    mkdirSync(dirname(path), { recursive: true });
    // What JSON says of it, as the file does.
    const wanted = JSON.parse(JSON.stringify(measurement)) as Measurement;
    const lines = existsSync(path) ? wholeLines(path) : [];
    const [header, ...records] = lines.map((line) => JSON.parse(line) as unknown);
    if (header !== undefined) check(path, header as Measurement, wanted);
    const file = openSync(path, "a");
    if (header === undefined) writeSync(file, `${JSON.stringify(wanted)}\n`);
    return new RecordFile(file, records as EpisodeRecord[]);
  }

  /** Returns once the line is with the operating system. */
  append(record: EpisodeRecord): void {
    writeSync(this.file, `${JSON.stringify(record)}\n`);
  }

  close(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }
}

/** Of a process that died as it wrote, the last line may be half: it is cut off. */
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
    `expected ${path} to hold episodes of ${said(wanted)}, but received ${said(found)}`,
  );
}
