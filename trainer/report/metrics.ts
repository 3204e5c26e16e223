/**
 * The log of a run's metrics: a line of JSON for each train step and each evaluation. Each line is written by one
 * system call, so a dying process leaves at most one incomplete line, which is removed when the log is next opened.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { MetricsSink, TrainRecord } from "./metric-names.js";

export class MetricsLog implements MetricsSink {
  readonly path: string;
  readonly #records: TrainRecord[];
  #file: number | undefined;
  #size: number;

  /**
   * Opens the log.
   *
   * @param resumedAt step of the checkpoint that the run resumes from; records of later steps are removed, since these
   *   steps will be repeated. Default 0: a new run with an empty log
   * @param isEvaluated whether the checkpoint has an evaluation of that step; if not, the record of the evaluation is
   *   removed, since it will be repeated
   * @throws {Error} the file cannot be opened, or a line before the last is not a record
   */
  constructor(path: string, resumedAt = 0, isEvaluated = false) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, "a+");
    const { records, bytes } = wholeRecords(path, readFileSync(this.#file), resumedAt, isEvaluated);
    ftruncateSync(this.#file, bytes);
    this.#records = records;
    this.#size = bytes;
  }

  /** Records of the run so far. */
  get records(): readonly TrainRecord[] {
    return this.#records;
  }

  /** Writes a record. @throws {RangeError} the step is out of order, or was already evaluated */
  write(record: TrainRecord): void {
    this.#expectNext(record);
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    try {
      const written = writeSync(this.#open, line);
      if (written < line.length)
        throw new Error(`expected to write ${line.length} bytes to ${this.path}, but wrote ${written}`);
    } catch (error) {
      if (this.#file !== undefined) ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#size += line.length;
    this.#records.push(record);
  }

  /** Flushes the log to the disk, so that it survives a power failure. */
  sync(): void {
    fsyncSync(this.#open);
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
  }

  #expectNext({ step, held_out }: TrainRecord): void {
    const last = this.#records.at(-1);
    const { step: newest = 0 } = last ?? {};
    if (Number.isSafeInteger(step) && step > newest) return;
    if (!held_out || step !== newest) {
      throw new RangeError(`expected a train step after ${newest}, but received ${step}`);
    }
    if (last?.held_out?.step === step) {
      throw new RangeError(`expected one evaluation after train step ${step}, but received a second evaluation`);
    }
  }

  get #open(): number {
    if (this.#file === undefined) throw new Error(`The log ${this.path} is closed.`);
    return this.#file;
  }
}

/** Reads a log. @throws {Error} a line before the last is not a record */
export function readMetrics(path: string): TrainRecord[] {
  return wholeRecords(path, readFileSync(path), Number.POSITIVE_INFINITY, true).records;
}

/**
 * Reads the records up to a step, with or without the evaluation of that step. Returns them with their size in bytes.
 */
function wholeRecords(
  path: string,
  content: Buffer,
  resumedAt: number,
  isEvaluated: boolean,
): { records: TrainRecord[]; bytes: number } {
  const records: TrainRecord[] = [];
  let bytes = 0;
  for (;;) {
    const end = content.indexOf(0x0a, bytes);
    if (end === -1) return { records, bytes };
    const record = parse(path, content.toString("utf8", bytes, end), records.length + 1);
    const isRedone = record.step > resumedAt || (!isEvaluated && record.held_out?.step === resumedAt);
    if (isRedone) return { records, bytes };
    records.push(record);
    bytes = end + 1;
  }
}

function parse(path: string, line: string, number: number): TrainRecord {
  try {
    const record = JSON.parse(line) as TrainRecord;
    if (Number.isSafeInteger(record?.step)) return record;
  } catch {}
  throw new Error(`expected ${path}:${number} to be the record of a train step, but received ${line.slice(0, 80)}`);
}
