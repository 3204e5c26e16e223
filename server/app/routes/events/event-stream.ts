/**
 * A stream of server-sent events to one client. It holds at most `heldBytes` that are not yet given to the connection, and
 * asks its feeds to wait while the client reads slowly.
 */
import type { ServerResponse } from "node:http";
import type { GymError } from "../../../errors.js";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies must pass each event on at once.
  "x-accel-buffering": "no",
};

/** Bytes of events that a stream holds before it asks its feeds to wait. */
const heldBytes = 2 ** 16;
const heartbeat = Buffer.from(":\n\n");
/** Milliseconds in which events are collected into one write. */
const collectMs = 20;

export class EventStream {
  private held: Buffer[] = [];
  private heldLength = 0;
  private lastWriteAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly onClosed: (() => void)[] = [];
  private readonly onRoom = new Set<() => void>();
  private ended = false;

  constructor(private readonly response: ServerResponse) {
    response.on("drain", () => this.flush());
    response.on("close", () => this.release());
    response.on("error", () => this.release());
    response.writeHead(200, headers);
    response.write(heartbeat);
  }

  get isOpen(): boolean {
    return !this.ended && !this.response.destroyed && this.response.socket?.destroyed !== true;
  }

  /** Whether the client has read nearly all that was sent. */
  get hasRoom(): boolean {
    return !this.response.writableNeedDrain && this.heldLength < heldBytes;
  }

  /** Milliseconds since the last write. */
  get silentMs(): number {
    return performance.now() - this.lastWriteAt;
  }

  /** Calls `listener` when the stream has ended, at once if it has. */
  whenClosed(listener: () => void): void {
    if (this.isOpen) this.onClosed.push(listener);
    else listener();
  }

  /** Sends bytes, in order. The caller looks at `hasRoom` before. */
  send(bytes: Buffer): void {
    if (!this.isOpen) return;
    this.held.push(bytes);
    this.heldLength += bytes.length;
    if (this.response.writableNeedDrain || this.timer) return;
    const waitMs = collectMs - this.silentMs;
    if (waitMs <= 0 || this.heldLength >= heldBytes) this.flush();
    else this.timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Sends a comment, which clients ignore. */
  heartbeat(): void {
    if (this.hasRoom) this.send(heartbeat);
  }

  /** Resolves when the stream has room, or has ended. */
  async room(): Promise<void> {
    while (this.isOpen && !this.hasRoom) {
      await new Promise<void>((resolve) => this.onRoom.add(resolve));
    }
  }

  /** Ends the stream after what was sent. The client may connect again. */
  end(): void {
    if (this.ended) return;
    this.write();
    this.ended = true;
    this.response.end();
    this.release();
  }

  private flush(): void {
    this.write();
    if (!this.hasRoom) return;
    const waiting = [...this.onRoom];
    this.onRoom.clear();
    for (const resume of waiting) resume();
  }

  private write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.held.length === 0 || !this.isOpen) return;
    const bytes = Buffer.concat(this.held, this.heldLength);
    this.held = [];
    this.heldLength = 0;
    this.lastWriteAt = performance.now();
    this.response.write(bytes);
  }

  /** Frees everything that the stream holds. */
  private release(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.held = [];
    this.heldLength = 0;
    for (const listener of this.onClosed.splice(0)) listener();
    for (const resume of this.onRoom) resume();
    this.onRoom.clear();
  }
}

/** Returns an event as bytes. @param data JSON text, which has no line breaks */
export function eventBytes(event: string, data: string, id?: number): Buffer {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return Buffer.from(`event: ${event}\n${idLine}data: ${data}\n\n`);
}

/** Returns the event that tells the client why its stream ends. */
export function errorEvent(error: GymError): Buffer {
  return eventBytes("failure", JSON.stringify(error.toBody()));
}
