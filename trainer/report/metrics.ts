/**
 * The log of a run's metrics: a JSON object a line, a line for each train step and for each evaluation. A line is written by one call, so that whatever
 * ends the process leaves whole lines and at most one torn one, which the next opening takes away.
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
   * @param resumedAt the step of the checkpoint that the run goes on from: later records are of steps that will be done
   *   again, and are taken away. 0, the default: a new run, whose log begins empty.
   * @param isEvaluated whether the checkpoint has an evaluation of that step; where it has none, the step will be
   *   evaluated again, and the record of an evaluation that the checkpoint missed is taken away
   * @throws {Error} the file cannot be opened, or has a line that is no record before its last
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

  /** All of the run so far. */
  get records(): readonly TrainRecord[] {
    return this.#records;
  }

  /** @throws {RangeError} the step is out of order, or was evaluated before */
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

  /** To the disk itself: after it not even a power failure takes anything. */
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
      throw new RangeError(`expected one evaluation after train step ${step}, but received another`);
    }
  }

  get #open(): number {
    if (this.#file === undefined) throw new Error(`expected ${this.path} to be open, but it was closed`);
    return this.#file;
  }
}

/** @throws {Error} a line before the last is no record */
export function readMetrics(path: string): TrainRecord[] {
  return wholeRecords(path, readFileSync(path), Number.POSITIVE_INFINITY, true).records;
}

/** The records up to a step, with its evaluation or without, and the bytes that they take. */
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
