/**
 * The write-ahead log of a SQLite file, read without SQLite.
 *
 * The file has a header of 32 bytes and frames. A frame is a header of 24 bytes and a page. The checksum of a frame
 * covers all frames before it, so SQLite reads up to the first wrong checksum. The frames after it are intact if each
 * checksum follows from the previous one. Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;
const usualPageSize = 4096;
const magicNumbers = { littleEndian: 0x377f0682, bigEndian: 0x377f0683 } as const;

interface Header {
  pageSize: number;
  littleEndian: boolean;
  /** Both salts, which change at each restart of the write-ahead log. Frames of an earlier run have other salts. */
  salts: Buffer;
  /** Null if the header is damaged. SQLite then reads no frame. */
  sums: Sums | null;
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
  /**
   * Byte offsets of newer versions after the first damaged frame, whose checksums follow those of their neighbours. SQLite
   * does not read them.
   */
  private readonly laterPages = new Map<number, number>();
  /** Number of pages of the database after the last readable commit. 0 if there is no readable commit. */
  pageCount = 0;
  /** Number of pages of the database after the last complete commit, which SQLite may not read. */
  lastPageCount = 0;
  /**
   * Number of complete commits after the first damaged frame. SQLite ignores these commits. A crash during a commit
   * leaves no such commit.
   */
  lostCommits = 0;
  readonly pageSize: number;

  private constructor(
    private readonly file: number,
    private readonly header: Header,
  ) {
    this.pageSize = header.pageSize;
    this.readFrames();
  }

  /** Returns null if the file is missing, or if it is too short for a frame. */
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

  /**
   * Returns the newest committed version of a page, or null if the write-ahead log does not have the page. Versions after a
   * damaged frame are included.
   */
  read(page: number): Buffer | null {
    const offset = this.laterPages.get(page) ?? this.pages.get(page);
    return offset === undefined ? null : bytesAt(this.file, offset, this.pageSize);
  }

  close(): void {
    closeSync(this.file);
  }

  private readFrames(): void {
    const frameBytes = frameHeaderBytes + this.pageSize;
    const size = fstatSync(this.file).size;
    // The checksum up to the previous frame, or null if that frame does not belong to this run.
    let before = this.header.sums;
    let isReadable = true;
    let open: [page: number, offset: number][] = [];
    for (let at = headerBytes; at + frameBytes <= size; at += frameBytes) {
      const bytes = bytesAt(this.file, at, frameBytes);
      const frame = frameOf(bytes);
      const isOfRun = frame.salts.equals(this.header.salts);
      const isIntact = isOfRun && before !== null && this.follows(before, bytes, frame);
      before = isOfRun ? frame.sums : null;
      isReadable &&= isIntact;
      if (!isIntact) continue;
      open.push([frame.page, at + frameHeaderBytes]);
      if (frame.pageCount === 0) continue;
      const pages = isReadable ? this.pages : this.laterPages;
      for (const [page, offset] of open) pages.set(page, offset);
      if (isReadable) this.pageCount = frame.pageCount;
      else this.lostCommits += 1;
      this.lastPageCount = frame.pageCount;
      open = [];
    }
  }

  /** Returns whether the checksum of a frame follows from the previous checksum. */
  private follows(before: Sums, bytes: Buffer, frame: Frame): boolean {
    const { littleEndian } = this.header;
    const head = addToSums(before, bytes.subarray(0, 8), littleEndian);
    const sums = addToSums(head, bytes.subarray(frameHeaderBytes), littleEndian);
    return sums[0] === frame.sums[0] && sums[1] === frame.sums[1];
  }
}

/** Returns the number of commits in a write-ahead log that SQLite ignores, because they follow a damaged frame. */
export function commitsLostIn(path: string): number {
  const wal = WriteAheadLog.open(path);
  wal?.close();
  return wal?.lostCommits ?? 0;
}

function readHeader(file: number): Header | null {
  if (fstatSync(file).size < headerBytes + frameHeaderBytes) return null;
  const bytes = bytesAt(file, 0, headerBytes);
  const magic = bytes.readUInt32BE(0);
  const littleEndian = magic !== magicNumbers.bigEndian;
  const sums = addToSums([0, 0], bytes.subarray(0, 24), littleEndian);
  const isIntact = sums[0] === bytes.readUInt32BE(24) && sums[1] === bytes.readUInt32BE(28);
  if (!isIntact || (littleEndian && magic !== magicNumbers.littleEndian)) return lostHeader(file);
  return { pageSize: bytes.readUInt32BE(8), littleEndian, salts: bytes.subarray(16, 24), sums };
}

/** Derives a damaged header from the frames: the salts that most of them have. The log's own pages have 4 KiB. */
function lostHeader(file: number): Header {
  const counts = new Map<string, number>();
  for (let at = headerBytes; at < fstatSync(file).size; at += frameHeaderBytes + usualPageSize) {
    const salts = bytesAt(file, at + 8, 8).toString("hex");
    counts.set(salts, (counts.get(salts) ?? 0) + 1);
  }
  const [salts] = [...counts].sort(([, a], [, b]) => b - a)[0] as [string, number];
  return { pageSize: usualPageSize, littleEndian: true, salts: Buffer.from(salts, "hex"), sums: null };
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
