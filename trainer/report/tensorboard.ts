/**
 * Metrics as TensorBoard's event files. A file is a list of TFRecords: a length, its masked CRC-32C, an Event message
 * and its masked CRC-32C. Every start and every resume of a run creates a new file in the folder, as TensorBoard
 * expects.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { maskedCrc32c } from "./crc32c.js";
import { type Event, encodeEvent } from "./event-message.js";
import { type MetricsSink, metricNames, type TrainRecord } from "./metric-names.js";

export class TensorBoardEvents implements MetricsSink {
  readonly path: string;
  #file: number | undefined;
  #size = 0;

  /**
   * Opens a file.
   *
   * @param resumedAt step of the checkpoint that the run resumes from
   * @param from step from which TensorBoard drops events of older files in the folder, since the steps will
   *   be written again. Default: the step after `resumedAt`
   * @param now time in seconds since 1970
   * @throws {Error} the folder cannot be written to
   */
  constructor(
    folder: string,
    {
      resumedAt = 0,
      from = resumedAt + 1,
      now = Date.now() / 1000,
    }: { resumedAt?: number; from?: number; now?: number } = {},
  ) {
    mkdirSync(folder, { recursive: true });
    const { file, path } = createFile(folder, Math.floor(now));
    this.#file = file;
    this.path = path;
    this.#append({ wallTime: now, fileVersion: "brain.Event:2" });
    this.#append({ wallTime: now, step: from, sessionStart: true });
  }

  write(record: TrainRecord): void {
    const scalars = metricNames
      .map((tag) => ({ tag, value: record[tag] }))
      .filter((scalar): scalar is { tag: (typeof metricNames)[number]; value: number } => scalar.value !== undefined);
    const counts = record.staleness;
    const histograms = counts && counts.length > 0 ? [{ tag: "staleness/histogram", counts }] : [];
    this.#append({ wallTime: record.time, step: record.step, scalars, histograms });
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
  }

  #append(event: Event): void {
    if (this.#file === undefined) throw new Error(`The event file ${this.path} is closed.`);
    const record = tfRecord(encodeEvent(event));
    try {
      const written = writeSync(this.#file, record);
      if (written < record.length)
        throw new Error(`expected to write ${record.length} bytes to ${this.path}, but wrote ${written}`);
    } catch (error) {
      // TensorBoard does not read past an incomplete record.
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#size += record.length;
  }
}

function tfRecord(data: Buffer): Buffer {
  const record = Buffer.alloc(8 + 4 + data.length + 4);
  record.writeBigUInt64LE(BigInt(data.length));
  record.writeUInt32LE(maskedCrc32c(record.subarray(0, 8)), 8);
  data.copy(record, 12);
  record.writeUInt32LE(maskedCrc32c(data), 12 + data.length);
  return record;
}

/**
 * Creates a file. TensorBoard reads files in the order of their names; files created in the same second have different
 * names.
 */
function createFile(folder: string, seconds: number): { file: number; path: string } {
  const stamp = String(seconds).padStart(10, "0");
  for (let attempt = 0; ; attempt++) {
    const path = join(folder, `events.out.tfevents.${stamp}.${hostname()}.${process.pid}.${attempt}`);
    try {
      return { file: openSync(path, "ax"), path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
