/**
 * Divides the event loop between connections that send much at once. Node has no option for this. Its HTTP parser reads past
 * the stream, so `highWaterMark` does not make the reads smaller.
 */
import type { Socket } from "node:net";

/** Number of bytes of a connection that its parser gets at a time. */
const pieceBytes = 1_024;
/** Milliseconds per turn of the event loop for the pieces of all connections together. */
const turnMs = 1;

/** Divides each turn of the event loop between the connections that have more than one piece. */
export class Turns {
  private readonly waiting = new Set<Intake>();
  private leftMs = turnMs;
  private running = false;
  private scheduled = false;

  /** Serves an intake at once if this turn has time left, and in a later turn otherwise. */
  enter(intake: Intake): void {
    this.waiting.add(intake);
    if (!this.scheduled && !this.running) this.run();
  }

  leave(intake: Intake): void {
    this.waiting.delete(intake);
  }

  private run(): void {
    this.running = true;
    let last = performance.now();
    // A set visits an entry that is added again after all other entries.
    for (const intake of this.waiting) {
      this.waiting.delete(intake);
      if (intake.feed()) this.waiting.add(intake);
      const now = performance.now();
      this.leftMs -= now - last;
      last = now;
      if (this.leftMs <= 0) break;
    }
    this.running = false;
    if (!this.scheduled) this.schedule();
  }

  private schedule(): void {
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.leftMs = turnMs;
      if (this.waiting.size > 0) this.run();
    });
  }
}

/**
 * Cuts what a connection receives into pieces, since one read of 64 KiB can hold thousands of requests or frames, and a
 * parser would start all of them at once. The rest waits for its turn, and for as long as the intake is blocked or its
 * stream is paused. Meanwhile nothing more is read (backpressure).
 *
 * An intake stands in for two methods that implement a readable stream, `push` and `_read`. It works for sockets that
 * deliver their bytes as a stream. Node's HTTP parser reads ordinary connections directly.
 */
export class Intake {
  private readonly held: Buffer[] = [];
  private blocked = false;
  /** Whether the end of the stream waits behind the held bytes. */
  private ended = false;
  private readonly push: Socket["push"];

  constructor(
    private readonly socket: Socket,
    private readonly turns: Turns,
  ) {
    const { push, _read: read } = socket;
    this.push = push;
    socket.push = (chunk: Buffer | null) => this.take(chunk);
    socket._read = (size) => {
      if (this.held.length === 0) read.call(socket, size);
    };
    socket.on("resume", () => this.proceed());
    socket.once("close", () => {
      this.held.length = 0;
      turns.leave(this);
    });
  }

  get heldBytes(): number {
    return this.held.reduce((sum, { length }) => sum + length, 0);
  }

  /** Holds received bytes back until `unblock` is called. */
  block(): void {
    this.blocked = true;
  }

  unblock(): void {
    this.blocked = false;
    this.proceed();
  }

  /** Adds bytes behind the held bytes. Returns whether the stream has taken all of them. */
  hold(chunk: Buffer): boolean {
    this.held.push(chunk);
    this.turns.enter(this);
    return this.held.length === 0 && this.socket.readableLength === 0;
  }

  /** Gives one piece to the stream. Returns whether another piece can follow. */
  feed(): boolean {
    const { held, socket } = this;
    const oldest = held[0];
    if (oldest === undefined || this.blocked || socket.readableFlowing !== true) return false;
    if (oldest.length > pieceBytes) held[0] = oldest.subarray(pieceBytes);
    else held.shift();
    this.push.call(socket, oldest.subarray(0, pieceBytes));
    if (held.length > 0) return true;
    if (this.ended) this.push.call(socket, null);
    return false;
  }

  /** Receives what Node has read. Node stops reading when the method returns false, until it calls `_read`. */
  private take(chunk: Buffer | null): boolean {
    if (chunk === null && this.held.length > 0) {
      this.ended = true;
      return false;
    }
    const fits = chunk === null || (this.held.length === 0 && !this.blocked && chunk.length <= pieceBytes);
    return fits ? this.push.call(this.socket, chunk) : this.hold(chunk);
  }

  private proceed(): void {
    if (this.held.length > 0) this.turns.enter(this);
  }
}
