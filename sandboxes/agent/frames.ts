/** Frames between the host and the agent in a sandbox. `frames.h` defines the format. */

export const protocolVersion = 1;

/** Size in bytes of a frame's header, which precedes the payload. */
export const headBytes = 9;

/** Largest number of bytes of a file or of input in one frame. */
export const chunkBytes = 2 ** 16;

/** Largest frame accepted from the agent, in bytes: a chunk and its header. */
const mostReplyBytes = chunkBytes + headBytes;

/** Largest request payload that the agent accepts, in bytes. A larger payload makes the agent exit. */
export const mostRequestBytes = 2 ** 23 - (headBytes - 4);

export const Request = { exec: 1, input: 2, kill: 3, read: 4, write: 5, data: 6, list: 7, stat: 8 } as const;

export const Reply = { ready: 1, stdout: 2, stderr: 3, taken: 4, exit: 5, data: 6, done: 7, error: 8 } as const;
export type Reply = (typeof Reply)[keyof typeof Reply];

export const ExitFlag = { timedOut: 1, cut: 2 } as const;

export interface ReplyFrame {
  kind: number;
  id: number;
  payload: Buffer;
}

/** Thrown when the agent sent bytes that violate the protocol. */
export class BadFrame extends Error {}

/** Builds a request's payload field by field. */
export class Payload {
  private readonly parts: Buffer[] = [];

  u8(value: number): this {
    this.parts.push(Buffer.from([value]));
    return this;
  }

  u32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value);
    this.parts.push(part);
    return this;
  }

  u64(value: number): this {
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(BigInt(value));
    this.parts.push(part);
    return this;
  }

  text(value: string): this {
    const bytes = Buffer.from(value);
    this.u32(bytes.length).parts.push(bytes);
    return this;
  }

  texts(values: readonly string[]): this {
    this.u32(values.length);
    for (const value of values) this.text(value);
    return this;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

export function requestFrame(kind: number, id: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(headBytes - 4 + payload.length, 0);
  head.writeUInt8(kind, 4);
  head.writeUInt32LE(id, 5);
  return Buffer.concat([head, payload]);
}

/** Splits a stream of bytes into reply frames. The reader buffers at most one frame. */
export class ReplyReader {
  private rest: Buffer = Buffer.alloc(0);

  /** @throws {BadFrame} */
  *read(bytes: Buffer): Generator<ReplyFrame> {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    while (this.rest.length >= headBytes) {
      const whole = this.rest.readUInt32LE(0) + 4;
      if (whole < headBytes || whole > mostReplyBytes) throw new BadFrame(`a frame of ${whole} bytes`);
      if (this.rest.length < whole) return;
      const frame = this.rest.subarray(0, whole);
      this.rest = this.rest.subarray(whole);
      yield { kind: frame.readUInt8(4), id: frame.readUInt32LE(5), payload: frame.subarray(headBytes) };
    }
  }
}
