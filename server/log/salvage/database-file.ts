/**
 * The pages of a SQLite file with its write-ahead log, read without SQLite. SQLite refuses to read a table if a page on
 * the way to its rows is damaged. Source: https://www.sqlite.org/fileformat2.html
 */
import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { bytesAt, WriteAheadLog } from "./wal.js";

const magic = "SQLite format 3\0";
const headerBytes = 100;
const defaultPageSize = 4096;

interface Header {
  pageSize: number;
  /** Number of pages that the file had when the header was written, or 0 if it is unknown. */
  pageCount: number;
  firstFreeTrunk: number;
}

export class DatabaseFile {
  readonly pageSize: number;
  /** Number of pages of the database. The file may have fewer pages if it was cut. */
  readonly pageCount: number;
  /** Number of pages of the database without the commits that SQLite ignores. */
  private readonly readablePageCount: number;
  /** Number of complete commits in the write-ahead log after its first damaged frame. */
  readonly lostCommits: number;
  /** Null if the file is missing, and only the write-ahead log is left. */
  private readonly file: number | null;
  private readonly wal: WriteAheadLog | null;
  private readonly size: number;

  constructor(path: string) {
    this.file = existsSync(path) ? openSync(path, "r") : null;
    this.size = this.file === null ? 0 : fstatSync(this.file).size;
    this.wal = WriteAheadLog.open(`${path}-wal`);
    const header = headerOf(this.bytes(0, headerBytes));
    this.pageSize = this.wal?.pageSize ?? header?.pageSize ?? defaultPageSize;
    const inFile = Math.ceil(this.size / this.pageSize);
    this.readablePageCount = this.wal?.pageCount || Math.max(inFile, header?.pageCount ?? 0);
    this.pageCount = Math.max(this.readablePageCount, this.wal?.lastPageCount ?? 0);
    this.lostCommits = this.wal?.lostCommits ?? 0;
  }

  /**
   * Returns a page, counted from 1, also from commits that SQLite ignores. Bytes past the end of a cut file are 0.
   */
  page(number: number): Buffer {
    return this.wal?.read(number) ?? this.bytes((number - 1) * this.pageSize, this.pageSize);
  }

  private bytes(offset: number, length: number): Buffer {
    return this.file === null ? Buffer.alloc(length) : bytesAt(this.file, offset, length);
  }

  /** Returns whether a page is missing because the file was cut. */
  get isCut(): boolean {
    const whole = Math.floor(this.size / this.pageSize);
    for (let number = whole + 1; number <= this.readablePageCount; number++)
      if (!this.wal?.pages.has(number)) return true;
    return false;
  }

  /** Returns the numbers of the pages that are free. Free pages may still contain old rows. */
  freePages(): Set<number> {
    const free = new Set<number>();
    const header = headerOf(this.page(1));
    for (let trunk = header?.firstFreeTrunk ?? 0; this.has(trunk) && !free.has(trunk); ) {
      free.add(trunk);
      const page = this.page(trunk);
      const leaves = Math.min(page.readUInt32BE(4), this.pageSize / 4 - 2);
      for (let i = 0; i < leaves; i++) free.add(page.readUInt32BE(8 + 4 * i));
      trunk = page.readUInt32BE(0);
    }
    return free;
  }

  has(page: number): boolean {
    return page >= 1 && page <= this.pageCount;
  }

  close(): void {
    this.wal?.close();
    if (this.file !== null) closeSync(this.file);
  }
}

/** Damage that SQLite does not notice when it opens a file. */
export interface FileFaults {
  /** Whether pages at the end are missing. SQLite would read them as empty pages. */
  isCut: boolean;
  /** Number of commits in the write-ahead log that SQLite ignores, because they follow a damaged frame. */
  lostCommits: number;
}

export function faultsOf(path: string): FileFaults {
  const file = new DatabaseFile(path);
  try {
    return { isCut: file.isCut, lostCommits: file.lostCommits };
  } finally {
    file.close();
  }
}

/** Returns whether pages at the end of a file are missing. Reads the write-ahead log only if the file is too short. */
export function isCutOff(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const header = headerOf(bytesAt(file, 0, headerBytes));
    if (!header || fstatSync(file).size >= header.pageCount * header.pageSize) return false;
  } finally {
    closeSync(file);
  }
  return faultsOf(path).isCut;
}

function headerOf(bytes: Buffer): Header | null {
  if (bytes.toString("latin1", 0, magic.length) !== magic) return null;
  const stored = bytes.readUInt16BE(16);
  const pageSize = stored === 1 ? 65_536 : stored;
  const isPowerOfTwo = (pageSize & (pageSize - 1)) === 0;
  if (pageSize < 512 || !isPowerOfTwo) return null;
  // The count is valid only if it was written with the last change of the file.
  const isCounted = bytes.readUInt32BE(24) === bytes.readUInt32BE(92);
  return { pageSize, pageCount: isCounted ? bytes.readUInt32BE(28) : 0, firstFreeTrunk: bytes.readUInt32BE(32) };
}
