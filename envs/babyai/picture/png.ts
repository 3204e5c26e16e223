/** PNG encoder (ISO/IEC 15948) for true color without alpha, 8 bits per channel. */
import { crc32, deflateSync } from "node:zlib";
import type { Frame } from "./frame.js";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitDepth = 8;
const trueColor = 2;
const upFilter = 2;

export function png({ width, height, rgb }: Frame): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, trueColor, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(filteredRows(rgb, width * 3))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * Applies PNG's filter "up": each byte is the difference from the byte above. Most rows of a tile equal the row above,
 * so the filter halves the file size.
 */
function filteredRows(rgb: Uint8Array, rowBytes: number): Uint8Array {
  const rows = new Uint8Array((rgb.length / rowBytes) * (rowBytes + 1));
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let start = 0, end = 0; start < rgb.length; start += rowBytes, end += rowBytes + 1) {
    const row = rgb.subarray(start, start + rowBytes);
    rows[end] = upFilter;
    if (Buffer.compare(row, above) !== 0) subtract(rows.subarray(end + 1, end + 1 + rowBytes), row, above);
    above = row;
  }
  return rows;
}

function subtract(difference: Uint8Array, row: Uint8Array, above: Uint8Array): void {
  for (let at = 0; at < row.length; at++) difference[at] = (row[at] as number) - (above[at] as number);
}

/** Returns a PNG chunk: length, type, data, and the checksum of type and data. */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
