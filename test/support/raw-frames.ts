/** WebSocket handshakes and frames that no client library sends. */

/** Headers of a WebSocket handshake, without the request line and the host. */
export const upgradeHeaders = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

/** Codes of the first byte of a frame: the last frame of a text message, and a ping. */
export const textFrame = 0x81;
export const pingFrame = 0x89;

const smallLength = 126;

/** Returns a masked frame. @param missing number of bytes that the frame's length includes but that are not sent */
export function rawFrame(head: number, payload: Buffer, missing = 0): Buffer {
  const length = payload.length + missing;
  const mask = Buffer.alloc(4);
  if (length < smallLength) return Buffer.concat([Buffer.from([head, 0x80 | length]), mask, payload]);
  const header = Buffer.alloc(10);
  header[0] = head;
  header[1] = 0xff;
  header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, mask, payload]);
}
