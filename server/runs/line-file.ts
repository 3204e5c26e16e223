/**
 * A file of lines that another process appends to. Only new bytes are read: the offsets of lines are kept. An incomplete
 * last line is left out until it is complete.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { GymError } from "../errors.js";
import { statsOf } from "./derived.js";
import { openFile } from "./folders.js";

const chunkBytes = 2 ** 20;
/** Lines whose marks are kept. Readers ask for the mark of the line that was the newest one when they asked before. */
const mostMarks = 64;
/** Longest line. A line holds an episode with all its texts. */
const longestLine = 16 * 2 ** 20;
const lineFeed = 0x0a;

export class LineFile {
  /** End of each line in the file, in bytes, its line feed included. */
  private readonly ends: number[] = [];
  private identity = "";
  /** Hash of the last known line, to notice that the file was cut and has grown again. */
  private lastHash = "";
  /** Marks of lines that were once the last one, by index. */
  private readonly marks = new Map<number, string>();
  private size = 0;
  private queue: Promise<unknown> = Promise.resolve();
  modifiedMs = 0;

  /** @param onLine receives each new line, and `null` when all lines before are void */
  constructor(
    private readonly folder: string,
    private readonly name: string,
    private readonly onLine: (line: Buffer | null, index: number) => void = () => {},
  ) {}

  get length(): number {
    return this.ends.length;
  }

  /** Reads what was appended. @throws {GymError} RUN_DAMAGED @throws errors of the file system */
  refresh(): Promise<void> {
    return this.hasChanged() ? this.inTurn((file) => this.catchUp(file)) : Promise.resolve();
  }

  /** Reads the lines from index `from` to before `to`. Call `refresh` first. */
  lines(from: number, to: number): Promise<string[]> {
    return this.inTurn(async (file) => {
      const start = this.startOf(from);
      const bytes = await read(file, start, this.startOf(to) - start);
      return Array.from({ length: to - from }, (_, at) =>
        bytes.toString("utf8", this.startOf(from + at) - start, (this.ends[from + at] as number) - 1 - start),
      );
    });
  }

  /** Reads lines from an index on: one at least, and more as long as they have fewer than `mostBytes` bytes in all. */
  part(from: number, mostBytes: number): Promise<string[]> {
    const start = this.startOf(from);
    let to = from + 1;
    while (to < this.length && this.startOf(to + 1) - start < mostBytes) to += 1;
    return this.lines(from, to);
  }

  /** Returns a short hash of a line. */
  async mark(index: number): Promise<string> {
    const known = this.marks.get(index);
    if (known !== undefined) return known;
    const [line = ""] = await this.lines(index, index + 1);
    return hashOf(Buffer.from(line));
  }

  private startOf(line: number): number {
    return line === 0 ? 0 : (this.ends[line - 1] as number);
  }

  private hasChanged(): boolean {
    const found = statsOf(join(this.folder, this.name));
    if (!found) return true;
    return `${found.ino}` !== this.identity || found.size !== this.size || found.mtimeMs !== this.modifiedMs;
  }

  private inTurn<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    const result = this.queue.then(async () => {
      const file = await openFile(this.folder, this.name);
      return work(file).finally(() => file.close());
    });
    this.queue = result.catch(() => {});
    return result;
  }

  private async catchUp(file: FileHandle): Promise<void> {
    const { ino, size, mtimeMs } = await file.stat();
    const identity = `${ino}`;
    if (identity === this.identity && size === this.size && mtimeMs === this.modifiedMs) return;
    if (this.length > 0 && !(identity === this.identity && (await this.isSame(file, size)))) this.forget();
    await this.readNew(file, size);
    this.identity = identity;
    this.size = size;
    this.modifiedMs = mtimeMs;
  }

  private async isSame(file: FileHandle, size: number): Promise<boolean> {
    const end = this.startOf(this.length);
    if (size < end) return false;
    const start = this.startOf(this.length - 1);
    return hashOf(await read(file, start, end - 1 - start)) === this.lastHash;
  }

  private forget(): void {
    this.ends.length = 0;
    this.marks.clear();
    this.onLine(null, 0);
  }

  private async readNew(file: FileHandle, size: number): Promise<void> {
    let start = this.startOf(this.length);
    let rest: Buffer = Buffer.alloc(0);
    for (let at = start; at < size; ) {
      const bytes = await read(file, at, Math.min(chunkBytes, size - at));
      if (bytes.length === 0) return;
      at += bytes.length;
      const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      let begin = 0;
      let last: Buffer | undefined;
      for (let end = joined.indexOf(lineFeed, rest.length); end !== -1; end = joined.indexOf(lineFeed, begin)) {
        last = joined.subarray(begin, end);
        begin = end + 1;
        this.ends.push(start + begin);
        this.onLine(last, this.length - 1);
      }
      if (last) this.keepMark(last);
      start += begin;
      rest = joined.subarray(begin);
      if (rest.length > longestLine)
        throw new GymError("RUN_DAMAGED", `lines of at most ${longestLine} bytes in ${this.name}`, "a longer line");
    }
  }

  private keepMark(last: Buffer): void {
    this.lastHash = hashOf(last);
    this.marks.set(this.length - 1, this.lastHash);
    if (this.marks.size > mostMarks) this.marks.delete(this.marks.keys().next().value as number);
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}

/** Reads up to `length` bytes. A file may have become shorter. */
export async function read(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
