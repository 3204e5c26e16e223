/** Reads corpus files of all supported formats. */
import { isUtf8 } from "node:buffer";
import { createReadStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { BadLine } from "./corpus-line.js";

/** A line or row of a corpus. */
export interface CorpusLine {
  /** Number of the line, from 1. */
  number: number;
  /** Content as JSON. */
  text: string;
  /** Fraction of the file that has been read, from 0 to 1. */
  fraction: number;
}

const formats = { ".jsonl": jsonLines, ".json": jsonLines, ".jsonl.gz": jsonLines, ".parquet": parquetRows } as const;

const newline = 0x0a;
const mostLineBytes = 2 ** 26;

/** Number of rows of a Parquet file that are read at a time. */
const rowsAtATime = 10_000;

/**
 * Yields the lines of a JSONL file, which may be compressed with gzip, or the rows of a Parquet file.
 *
 * @throws {RangeError} the file does not exist or has an unknown format
 * @throws {BadLine} the file is truncated or corrupt
 */
export function linesOf(path: string): AsyncIterable<CorpusLine> {
  const format = Object.entries(formats).find(([ending]) => path.endsWith(ending));
  if (!format)
    throw new RangeError(
      `expected a file that ends with one of ${Object.keys(formats).join(", ")}, but received ${path}`,
    );
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new RangeError(`expected a file at ${path}, but the file does not exist`);
  return format[1](path, size);
}

async function* jsonLines(path: string, size: number): AsyncIterable<CorpusLine> {
  const file = createReadStream(path, { highWaterMark: 2 ** 18 });
  const input = path.endsWith(".gz") ? unpacked(file) : file;
  const splitter = new LineSplitter();
  let number = 0;
  const line = (text: string) => ({ number, text, fraction: file.bytesRead / Math.max(1, size) });
  try {
    for await (const chunk of input) {
      for (const text of splitter.add(chunk as Buffer)) {
        number += 1;
        // Empty lines are skipped.
        if (text.trim() !== "") yield line(text);
      }
    }
    const last = splitter.end();
    number += 1;
    if (last.trim() !== "") yield line(last);
  } catch (error) {
    if (error instanceof NotUtf8)
      throw new BadLine(
        `expected UTF-8 in ${path}, but line ${number + 1} has bytes of another encoding. Convert the file, for example with \`iconv -f LATIN1 -t UTF-8\`.`,
      );
    throw new BadLine(
      `expected a complete file at ${path}, but after line ${number} received: ${(error as Error).message}`,
    );
  } finally {
    file.destroy();
  }
}

class NotUtf8 extends Error {}

function unpacked(file: Readable): Readable {
  const input = file.pipe(createGunzip());
  // `pipe` does not forward errors.
  file.once("error", (error: Error) => input.destroy(error));
  return input;
}

/** Splits bytes into lines. The length of a line, and so the memory, is bounded. */
class LineSplitter {
  private parts: Buffer[] = [];
  private bytes = 0;

  /** Adds a chunk and yields the lines that end in it. @throws {Error} a line is too long */
  *add(chunk: Buffer): Iterable<string> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.end();
    }
    this.keep(chunk.subarray(start));
  }

  /** Returns the text since the last line break. @throws {NotUtf8} the bytes are not UTF-8 */
  end(): string {
    const line = Buffer.concat(this.parts);
    if (!isUtf8(line)) throw new NotUtf8();
    const text = line.toString("utf8");
    this.parts = [];
    this.bytes = 0;
    return text.replace(/^\uFEFF/, "").replace(/\r$/, "");
  }

  private keep(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > mostLineBytes) throw new Error(`a line of more than ${mostLineBytes} bytes`);
    this.parts.push(part);
  }
}

async function* parquetRows(path: string): AsyncIterable<CorpusLine> {
  const [{ parquetMetadataAsync, parquetReadObjects }, { compressors }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = {
      byteLength: size,
      slice: async (start: number, end = size) => {
        const bytes = new Uint8Array(end - start);
        await file.read(bytes, 0, bytes.length, start);
        return bytes.buffer;
      },
    };
    const metadata = await parquetMetadataAsync(buffer).catch((error: Error) => {
      throw new BadLine(`expected a Parquet file at ${path}, but received: ${error.message}`);
    });
    const rows = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < rows; rowStart += rowsAtATime) {
      const rowEnd = Math.min(rows, rowStart + rowsAtATime);
      const objects = await parquetReadObjects({ file: buffer, metadata, compressors, rowStart, rowEnd });
      for (const [at, object] of objects.entries()) {
        const number = rowStart + at + 1;
        yield { number, text: JSON.stringify(object, plain), fraction: number / rows };
      }
    }
  } finally {
    await file.close();
  }
}

/** Converts Parquet's 64-bit integers to numbers, for `JSON.stringify`. */
function plain(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
