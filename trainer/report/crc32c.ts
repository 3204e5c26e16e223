/** CRC-32C (Castagnoli), for the records of event files. Node's zlib only has CRC-32 with a different polynomial. */

const reversedPolynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ reversedPolynomial : crc >>> 1;
  return crc;
});

/** Computes the CRC-32C of bytes (RFC 3720, appendix B.4). */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}

/** Computes the masked CRC-32C, which TFRecord stores because the bytes may contain CRCs. */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
