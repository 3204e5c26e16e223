/**
 * The parts of metrics.jsonl that tell how a training run stands: its first and its newest lines, and every evaluation. A
 * list of runs reads them for each run, so the other lines are not parsed.
 */
import type { FileHandle } from "node:fs/promises";
import type { HealthRecord } from "../formats/health/health.js";
import { openFile } from "./folders.js";
import { read } from "./line-file.js";

export const metricsFile = "metrics.jsonl";

const chunkBytes = 2 ** 20;
/** Bytes at the start and at the end of the file whose lines are parsed. */
const headBytes = 2 ** 16;
const tailBytes = 2 ** 18;
/** Bytes before the end in which evaluations are searched. */
const searchedBytes = 2 ** 26;
const evaluated = '"val/success_rate"';

export interface KeyRecords {
  /** Records in the order of the file. */
  readonly records: readonly HealthRecord[];
  /** Whether a line is not the record of a train step. */
  readonly isDamaged: boolean;
}

/** Reads the records. A file that does not exist has none. */
export async function keyRecords(path: string): Promise<KeyRecords> {
  const file = await openFile(path, metricsFile).catch(() => undefined);
  if (!file) return { records: [], isDamaged: false };
  try {
    return await keyRecordsOf(file);
  } finally {
    await file.close();
  }
}

async function keyRecordsOf(file: FileHandle): Promise<KeyRecords> {
  const { size } = await file.stat();
  const records: HealthRecord[] = [];
  let isDamaged = false;
  const take = (line: Buffer, start: number) => {
    const isKey = start < headBytes || start >= size - tailBytes || line.includes(evaluated);
    if (!isKey) return;
    const record = recordOf(line.toString());
    if (record) records.push(record);
    else isDamaged = true;
  };
  const from = size - searchedBytes;
  if (from > headBytes) {
    await eachLine(file, 0, headBytes, take);
    // The first line from there on may be the end of a longer one.
    await eachLine(file, from, size, take, { skipsFirst: true });
  } else {
    await eachLine(file, 0, size, take);
  }
  return { records, isDamaged };
}

/** Calls a function for each whole line between two offsets. */
async function eachLine(
  file: FileHandle,
  start: number,
  end: number,
  take: (line: Buffer, start: number) => void,
  { skipsFirst = false } = {},
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let skips = skipsFirst;
  for (let at = start; at < end; ) {
    const bytes = await read(file, at, Math.min(chunkBytes, end - at));
    if (bytes.length === 0) return;
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const first = at - rest.length;
    let begin = 0;
    for (let stop = joined.indexOf(0x0a); stop !== -1; stop = joined.indexOf(0x0a, begin)) {
      if (!skips) take(joined.subarray(begin, stop), first + begin);
      skips = false;
      begin = stop + 1;
    }
    rest = joined.subarray(begin);
    at += bytes.length;
    // A line of this length is no record.
    if (rest.length > headBytes + tailBytes) return;
  }
}

function recordOf(line: string): HealthRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record === "object" && record !== null && Number.isSafeInteger((record as HealthRecord).step))
      return record as HealthRecord;
  } catch {}
  return undefined;
}
