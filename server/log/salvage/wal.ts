/**
 * The write-ahead log of a SQLite file, read without SQLite.
 *
 * The file has a header of 32 bytes and frames. A frame is a header of 24 bytes and a page. The checksum of a frame
 * covers all frames before it, so the first wrong checksum ends the readable part. Source:
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;
const magicNumbers = { littleEndian: 0x377f0682, bigEndian: 0x377f0683 } as const;

interface Header {
  pageSize: number;
  littleEndian: boolean;
  /** Both salts, which change at each restart of the write-ahead log. Frames of an earlier run have other salts. */
  salts: Buffer;
  sums: Sums;
}

/** The two halves of a checksum. */
type Sums = readonly [number, number];

interface Frame {
  page: number;
  /** Number of pages of the database after this commit. 0 if the frame does not end a commit. */
  pageCount: number;
  salts: Buffer;
  sums: Sums;
}

export class WriteAheadLog {
  /** Byte offset of the newest committed version of each page. */
  readonly pages = new Map<number, number>();
  /** Number of pages of the database after the last readable commit. 0 if there is no readable commit. */
  pageCount = 0;
  /** Number of commits after the first damaged frame. SQLite ignores these commits. */
  lostCommits = 0;
  readonly pageSize: number;

  private constructor(
    private readonly file: number,
    private readonly header: Header,
  ) {
    this.pageSize = header.pageSize;
    this.readFrames();
  }

  /** Returns null if the file is missing, or if it has no readable header and therefore no commit. */
  static open(path: string): WriteAheadLog | null {
    let file: number;
    try {
      file = openSync(path, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
    const header = readHeader(file);
    if (header) return new WriteAheadLog(file, header);
    closeSync(file);
    return null;
  }

  /** Returns the newest committed version of a page, or null if the write-ahead log does not have the page. */
  read(page: number): Buffer | null {
    const offset = this.pages.get(page);
    return offset === undefined ? null : bytesAt(this.file, offset, this.pageSize);
  }

  close(): void {
    closeSync(this.file);
  }

  private readFrames(): void {
    const frameBytes = frameHeaderBytes + this.pageSize;
    const size = fstatSync(this.file).size;
    let sums: Sums | null = this.header.sums;
    let open: [page: number, offset: number][] = [];
    for (let at = headerBytes; at + frameBytes <= size; at += frameBytes) {
      const bytes = bytesAt(this.file, at, frameBytes);
      const frame = frameOf(bytes);
      if (!frame.salts.equals(this.header.salts)) sums = null;
      else if (sums) sums = this.nextSums(sums, bytes, frame);
      if (!sums) {
        if (frame.salts.equals(this.header.salts) && frame.pageCount > 0) this.lostCommits += 1;
        continue;
      }
      open.push([frame.page, at + frameHeaderBytes]);
      if (frame.pageCount === 0) continue;
      for (const [page, offset] of open) this.pages.set(page, offset);
      this.pageCount = frame.pageCount;
      open = [];
    }
  }

  /** Returns the checksum of the frame, or null if the frame has another checksum. */
  private nextSums(before: Sums, bytes: Buffer, frame: Frame): Sums | null {
    const { littleEndian } = this.header;
    const head = addToSums(before, bytes.subarray(0, 8), littleEndian);
    const sums = addToSums(head, bytes.subarray(frameHeaderBytes), littleEndian);
    return sums[0] === frame.sums[0] && sums[1] === frame.sums[1] ? sums : null;
  }
}

function readHeader(file: number): Header | null {
  const bytes = bytesAt(file, 0, headerBytes);
  const magic = bytes.readUInt32BE(0);
  const littleEndian = magic === magicNumbers.littleEndian;
  if (!littleEndian && magic !== magicNumbers.bigEndian) return null;
  const sums = addToSums([0, 0], bytes.subarray(0, 24), littleEndian);
  if (sums[0] !== bytes.readUInt32BE(24) || sums[1] !== bytes.readUInt32BE(28)) return null;
  return { pageSize: bytes.readUInt32BE(8), littleEndian, salts: bytes.subarray(16, 24), sums };
}

function frameOf(bytes: Buffer): Frame {
  return {
    page: bytes.readUInt32BE(0),
    pageCount: bytes.readUInt32BE(4),
    salts: bytes.subarray(8, 16),
    sums: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  };
}

function addToSums([first, second]: Sums, bytes: Buffer, littleEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}

/** Reads bytes of a file. Bytes past the end of the file are 0. */
export function bytesAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const more = readSync(file, bytes, read, length - read, offset + read);
    if (more === 0) break;
    read += more;
  }
  return bytes;
}
