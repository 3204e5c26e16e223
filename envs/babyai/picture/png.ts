/** PNG (ISO/IEC 15948) of true colour without alpha, at 8 bits, unfiltered: grids of equal tiles pack well as they are. */
import { crc32, deflateSync } from "node:zlib";
import type { Frame } from "./frame.js";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitDepth = 8;
const trueColor = 2;

export function png({ width, height, rgb }: Frame): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, trueColor, 0, 0, 0], 8);
  const rowBytes = width * 3;
  // A row begins with the number of its filter: 0 for none.
  const rows = Buffer.alloc(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    rows.set(rgb.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  }
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", rows.subarray(0, 0)),
  ]);
}

/** Length, type, data, and the checksum of type and data. */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
