import type { Duplex } from "node:stream";

/** Captured before an environment can replace them. */
const { parse, stringify } = JSON;
const { concat, from } = Buffer;

/** Bytes of a frame's head: the lengths of its two parts. */
const headBytes = 8;

export interface FrameHandler<Message> {
  /** @param text text that was sent beside the message, or "" */
  onFrame(message: Message, text: string): void;
  /** Called once when the other process sends bytes that are no frame. No frame follows. */
  onBroken(reason: string): void;
}

/**
 * Messages between the gym's process and a host process over a socket. A frame is two lengths in bytes, a message as JSON,
 * and a text, which may be long and is not parsed.
 *
 * Node's own channel between processes is not used, because a process that writes other bytes to that channel makes its
 * parent throw, and JSON is safe to parse whatever it says.
 */
export class Frames<Sent, Received> {
  private chunks: Buffer[] = [];
  private buffered = 0;
  /** Number of bytes that the next part of a frame needs. */
  private wanted = headBytes;
  private head: { messageBytes: number; textBytes: number } | null = null;
  private isBroken = false;

  /** @param mostBytes limit on the bytes of a received frame */
  constructor(
    private readonly socket: Duplex,
    private readonly mostBytes: number,
    private readonly handler: FrameHandler<Received>,
  ) {
    socket.on("data", (chunk: Buffer) => this.receive(chunk));
    // The end of the process is told by its `exit` event, or by the end of the socket.
    socket.on("error", () => {});
  }

  /** Resolves when the system has taken the frame, or the socket is closed. */
  send(message: Sent, text = ""): Promise<void> {
    const body = from(stringify(message));
    const tail = from(text);
    const head = Buffer.allocUnsafe(headBytes);
    head.writeUInt32BE(body.length, 0);
    head.writeUInt32BE(tail.length, 4);
    if (!this.socket.writable) return Promise.resolve();
    return new Promise((resolve) => this.socket.write(concat([head, body, tail]), () => resolve()));
  }

  private receive(chunk: Buffer): void {
    if (this.isBroken) return;
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    while (!this.isBroken && this.buffered >= this.wanted) this.take();
  }

  private take(): void {
    const part = this.read(this.wanted);
    if (this.head === null) {
      this.head = { messageBytes: part.readUInt32BE(0), textBytes: part.readUInt32BE(4) };
      this.wanted = this.head.messageBytes + this.head.textBytes;
      if (this.wanted > this.mostBytes) this.break(`a frame of ${this.wanted} bytes`);
      return;
    }
    const { messageBytes } = this.head;
    this.head = null;
    this.wanted = headBytes;
    this.deliver(part.subarray(0, messageBytes), part.subarray(messageBytes));
  }

  private deliver(body: Buffer, tail: Buffer): void {
    let message: Received;
    try {
      message = parse(body.toString()) as Received;
    } catch {
      return this.break("a message that is not JSON");
    }
    this.handler.onFrame(message, tail.toString());
  }

  private break(reason: string): void {
    this.isBroken = true;
    this.chunks = [];
    this.handler.onBroken(reason);
  }

  private read(bytes: number): Buffer {
    const all = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : concat(this.chunks);
    this.buffered -= bytes;
    this.chunks = this.buffered > 0 ? [all.subarray(bytes)] : [];
    return all.subarray(0, bytes);
  }
}
