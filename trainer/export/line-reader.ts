/** Lines of a file with where they lie, read a piece at a time: a file may be larger than the memory. */
import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";

const newline = 0x0a;

export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** In bytes. */
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Every line that ends with a line feed: the last of a process that died as it wrote may be half, and is none. */
export async function* linesOf(path: string): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let [number, offset] = [1, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(start, end)]);
      yield { number, offset, length: bytes.length, text: bytes.toString() };
      parts = [];
      number += 1;
      offset += bytes.length + 1;
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

/** The text of a line that was seen before. */
export async function textAt(file: FileHandle, { offset, length }: Pick<FileLine, "offset" | "length">) {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, offset);
  return bytes.toString();
}
