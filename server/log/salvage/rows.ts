/**
 * The rows in the pages of a SQLite file. Each page is read on its own, so a damaged page hides no row of another page.
 * SQLite's extension `recover` finds nearly the same rows in the main file, but better-sqlite3 does not have it.
 * Source: https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
import type { DatabaseFile } from "./database-file.js";

export type Value = string | number | null;

/** A row, with the number that identifies it. Rows of a `WITHOUT ROWID` table and of an index have no rowid. */
export interface Row {
  rowid: number | null;
  values: Value[];
}

/** First byte of the pages that contain rows. */
const kinds = { indexInterior: 0x02, indexLeaf: 0x0a, tableLeaf: 0x0d } as const;

/** Longest payload of a row, in bytes, as in SQLite. */
const longestPayload = 1_000_000_000;

/** Thrown for a cell whose bytes cannot be a row. */
class Garbage extends Error {}

/** Returns the rows of a page, with null for a row that cannot be read. A page of another kind has no rows. */
export function* rowsOf(file: DatabaseFile, number: number): Iterable<Row | null> {
  const page = file.page(number);
  // The first page begins with the header of the file.
  const start = number === 1 ? 100 : 0;
  const kind = page[start];
  if (kind !== kinds.tableLeaf && kind !== kinds.indexLeaf && kind !== kinds.indexInterior) return;
  const pointers = start + (kind === kinds.indexInterior ? 12 : 8);
  const count = Math.min(page.readUInt16BE(start + 3), Math.floor((page.length - pointers) / 2));
  for (let i = 0; i < count; i++) {
    yield rowOrNull(file, page, page.readUInt16BE(pointers + 2 * i), kind);
  }
}

function rowOrNull(file: DatabaseFile, page: Buffer, offset: number, kind: number): Row | null {
  try {
    return rowAt(file, page, offset, kind);
  } catch (error) {
    if (error instanceof Garbage || error instanceof RangeError) return null;
    throw error;
  }
}

/** @throws {Garbage} @throws {RangeError} the bytes lead out of the page */
function rowAt(file: DatabaseFile, page: Buffer, offset: number, kind: number): Row {
  const at = new Reader(page, kind === kinds.indexInterior ? offset + 4 : offset);
  const length = at.varint();
  if (length > Math.min(longestPayload, file.pageCount * file.pageSize)) throw new Garbage();
  const rowid = kind === kinds.tableLeaf ? at.varint() : null;
  const payload = payloadAt(file, at, length, kind === kinds.tableLeaf);
  return { rowid, values: valuesOf(payload) };
}

/** Returns the payload of a cell. Its first part is in the page, and the rest in a chain of overflow pages. */
function payloadAt(file: DatabaseFile, at: Reader, length: number, isTable: boolean): Buffer {
  const usable = file.pageSize;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length <= most) return at.take(length);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const parts = [at.take(fitting <= most ? fitting : least)];
  let rest = length - (parts[0] as Buffer).length;
  for (let next = at.take(4).readUInt32BE(0); rest > 0; ) {
    if (!file.has(next)) throw new Garbage();
    const overflow = file.page(next);
    const part = overflow.subarray(4, 4 + Math.min(rest, usable - 4));
    parts.push(part);
    rest -= part.length;
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function valuesOf(payload: Buffer): Value[] {
  const head = new Reader(payload, 0);
  const headLength = head.varint();
  const types: number[] = [];
  while (head.offset < headLength) types.push(head.varint());
  if (head.offset !== headLength) throw new Garbage();
  const body = new Reader(payload, headLength);
  const values = types.map((type) => readValue(type, body));
  if (body.offset !== payload.length) throw new Garbage();
  return values;
}

/** Number of bytes of the integer types 1 to 6. */
const integerBytes = [0, 1, 2, 3, 4, 6, 8];

function readValue(type: number, body: Reader): Value {
  if (type === 0) return null;
  if (type <= 6) return integerOf(body.take(integerBytes[type] as number));
  if (type === 7) return body.take(8).readDoubleBE(0);
  if (type <= 9) return type - 8;
  if (type < 12) throw new Garbage();
  // The log has no column of bytes.
  if (type % 2 === 0) throw new Garbage();
  return body.take((type - 13) / 2).toString("utf8");
}

function integerOf(bytes: Buffer): number {
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length);
}

class Reader {
  constructor(
    private readonly bytes: Buffer,
    public offset: number,
  ) {}

  take(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new Garbage();
    const taken = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }

  /** Reads an integer of 1 to 9 bytes, with 7 bits in each byte except the ninth. */
  varint(): number {
    let value = 0;
    for (let i = 0; i < 8; i++) {
      const byte = this.take(1)[0] as number;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    // No number of the log is this large.
    throw new Garbage();
  }
}
