/**
 * Parses the ClientHello, the first message of TLS, for a proxy: the server name, and whether it contains an encrypted
 * ClientHello (RFC 8446, RFC 6066, RFC 9849).
 */

/** Largest ClientHello accepted, in bytes. Current browsers send about 2,000. */
const mostHelloBytes = 2 ** 14;
const recordHeadBytes = 5;
const mostRecordBytes = 2 ** 14;
const handshakeRecord = 22;
const clientHello = 1;

const Extension = { serverName: 0, encryptedClientHello: 0xfe0d } as const;
const hostName = 0;

/** Thrown when the bytes are not a valid ClientHello. */
export class BadHello extends Error {}

export interface ClientHello {
  /** Server name in lower case without a dot at the end, or undefined if the client sends none. */
  serverName: string | undefined;
  /**
   * Whether the ClientHello has the extension for an encrypted ClientHello. A decoy extension (GREASE) is counted too,
   * since it looks the same.
   */
  hasEncryptedHello: boolean;
}

/** Whether a stream with this first byte is TLS. */
export function isTls(firstByte: number | undefined): boolean {
  return firstByte === handshakeRecord;
}

/**
 * Parses the ClientHello at the start of a stream. It may be split over several TLS records. Returns undefined while it
 * is incomplete.
 *
 * @throws {BadHello}
 */
export function parseClientHello(stream: Buffer): ClientHello | undefined {
  const message = firstMessage(stream);
  if (!message) return undefined;
  const reader = new Reader(message);
  // Skipped fields: version and random; session id, cipher suites, compression methods.
  reader.bytes(2 + 32);
  reader.vector(1);
  reader.vector(2);
  reader.vector(1);
  const extensions = extensionsOf(reader);
  const names = extensions.get(Extension.serverName);
  return {
    serverName: names && serverNameOf(new Reader(names)),
    hasEncryptedHello: extensions.has(Extension.encryptedClientHello),
  };
}

/** Returns the body of the first handshake message, or undefined while it is incomplete. @throws {BadHello} */
function firstMessage(stream: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let length = 0;
  for (let at = 0; stream.length - at >= recordHeadBytes; ) {
    const recordBytes = stream.readUInt16BE(at + 3);
    if (stream[at] !== handshakeRecord || stream[at + 1] !== 3)
      throw new BadHello("bytes that are not a TLS handshake record");
    if (recordBytes === 0 || recordBytes > mostRecordBytes) throw new BadHello(`a TLS record of ${recordBytes} bytes`);
    const part = stream.subarray(at + recordHeadBytes, at + recordHeadBytes + recordBytes);
    parts.push(part);
    length += part.length;
    at += recordHeadBytes + recordBytes;
    const message = messageIn(Buffer.concat(parts, length));
    if (message) return message;
  }
  return undefined;
}

function messageIn(handshake: Buffer): Buffer | undefined {
  if (handshake.length < 4) return undefined;
  const length = handshake.readUIntBE(1, 3);
  if (handshake[0] !== clientHello) throw new BadHello(`a TLS handshake that starts with message type ${handshake[0]}`);
  if (length > mostHelloBytes) throw new BadHello(`a ClientHello of ${length} bytes`);
  return handshake.length < 4 + length ? undefined : handshake.subarray(4, 4 + length);
}

/**
 * Returns the extensions by type. @throws {BadHello} also for a repeated extension, since servers disagree on which
 * copy to use
 */
function extensionsOf(reader: Reader): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>();
  if (reader.isAtEnd) return extensions;
  const all = new Reader(reader.vector(2));
  if (!reader.isAtEnd) throw new BadHello("a ClientHello with bytes after its extensions");
  while (!all.isAtEnd) {
    const kind = all.number(2);
    if (extensions.has(kind)) throw new BadHello(`a ClientHello with the extension ${kind} twice`);
    extensions.set(kind, all.vector(2));
  }
  return extensions;
}

/** Returns the server name. @throws {BadHello} also for several names, since servers disagree on which name to use */
function serverNameOf(reader: Reader): string {
  const list = new Reader(reader.vector(2));
  const kind = list.number(1);
  const name = list.vector(2).toString("latin1");
  if (!reader.isAtEnd || !list.isAtEnd || kind !== hostName) throw new BadHello("more or fewer than one server name");
  if (!/^[0-9A-Za-z._:-]{1,255}$/.test(name)) throw new BadHello("an invalid server name");
  return name.toLowerCase().replace(/\.$/, "");
}

class Reader {
  private at = 0;

  constructor(private readonly all: Buffer) {}

  get isAtEnd(): boolean {
    return this.at === this.all.length;
  }

  /** @throws {BadHello} */
  bytes(length: number): Buffer {
    const end = this.at + length;
    if (end > this.all.length) throw new BadHello("a truncated ClientHello");
    const bytes = this.all.subarray(this.at, end);
    this.at = end;
    return bytes;
  }

  number(bytes: number): number {
    return this.bytes(bytes).readUIntBE(0, bytes);
  }

  /** Reads a length of `lengthBytes` bytes, followed by a value of that length. */
  vector(lengthBytes: number): Buffer {
    return this.bytes(this.number(lengthBytes));
  }
}
