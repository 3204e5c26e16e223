/**
 * Stops reading from a client with too many unanswered requests. Node has no such limit: it starts thousands of pipelined
 * requests in one turn of the event loop, and keeps all their replies.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Intake, type Turns } from "./intake.js";

/**
 * Number of unanswered requests of one connection after which no further request is read. A client that pipelines fewer
 * requests is read by Node's parser directly.
 */
const mostUnanswered = 4;

/** Largest number of bytes that Node reads at once. */
const largestRead = 2 ** 16;

/** A WebSocket, as its connection sees it. */
export interface FrameReader {
  /** Number of received bytes of a frame or message that is not complete yet. */
  partialBytes(): number;
  /** Number of bytes of replies that the client has not read yet. */
  unsentBytes(): number;
  /** Closes the socket with a code of the WebSocket protocol, and ignores what arrives from then on. */
  close(code: number, reason: string): void;
}

/** A TCP connection, with its unanswered HTTP requests or its WebSocket. */
export class Connection {
  /** Responses that are not sent completely, in the order of their requests. */
  readonly responses: ServerResponse[] = [];
  /** The WebSocket after an upgrade. Undefined while the connection is one of HTTP. */
  frames: FrameReader | undefined;
  /** Neighbours in the list of idle connections, or null outside of it. */
  idleBefore: Connection | null = null;
  idleAfter: Connection | null = null;
  /** Value of `socket.bytesRead` before the newest request, or at most one read before it if requests are pipelined. */
  private requestAt = 0;
  /** Value of `socket.bytesRead` when all requests were answered. */
  private answeredAt = 0;
  private intake: Intake | undefined;
  /** Continues with the cut request, when all earlier requests are answered. */
  private readmit: (() => void) | undefined;

  constructor(readonly socket: Socket) {}

  /** Number of bytes of HTTP replies that the client has not read yet. */
  get unsentBytes(): number {
    // Further responses may wait behind the response that is being sent. Only the first one counts the socket's bytes.
    return this.responses.reduce((bytes, { writableLength }) => bytes + writableLength, 0);
  }

  /** Number of bytes of replies that the client has not read yet, over HTTP or the WebSocket. */
  get unreadBytes(): number {
    return this.frames ? this.frames.unsentBytes() : this.unsentBytes;
  }

  /** Number of bytes of the HTTP reply in transit that the client has not read yet. */
  get unreadBytesOfReply(): number {
    return this.frames ? 0 : (this.responses[0]?.writableLength ?? 0);
  }

  /** Number of received bytes of a body or frame that is not complete yet, and of requests that wait for their turn. */
  get partialBytes(): number {
    const held = this.intake?.heldBytes ?? 0;
    if (this.frames) return held + this.frames.partialBytes();
    const newest = this.responses.at(-1);
    return newest && !newest.req.complete ? held + this.socket.bytesRead - this.requestAt : held;
  }

  /** Whether received bytes wait for the gym, and not for the client. */
  get waits(): boolean {
    return (this.intake?.heldBytes ?? 0) > 0;
  }

  /** Frees the body that has arrived in part, and ignores what arrives from now on. The request gets no further reply. */
  discardBody(): void {
    const request = this.responses.at(-1)?.req;
    if (!request || request.complete) return;
    for (const event of ["data", "end", "error"]) request.removeAllListeners(event);
    request.on("error", () => {});
    request.resume();
  }

  /** Whether a client would mistake an error that is sent now for the reply to an earlier request. */
  get isAnswering(): boolean {
    return this.responses.some(({ req, headersSent }) => req.complete || headersSent);
  }

  /** Whether the connection has as many requests in progress as it may have. */
  get isFull(): boolean {
    return this.responses.length >= mostUnanswered;
  }

  add(response: ServerResponse): void {
    const isPipelined = this.responses.length > 0;
    this.requestAt = isPipelined ? Math.max(this.requestAt, this.socket.bytesRead - largestRead) : this.answeredAt;
    this.responses.push(response);
    if (this.intake && this.isFull) this.intake.block();
  }

  /** Removes a response that is sent completely. */
  remove(response: ServerResponse): void {
    const place = this.responses.indexOf(response);
    if (place < 0) return;
    this.responses.splice(place, 1);
    if (this.responses.length === 0) this.answeredAt = this.socket.bytesRead;
    if (this.readmit) {
      if (this.responses.length === 0) this.readmit();
    } else if (this.intake && !this.isFull) this.intake.unblock();
  }

  /** From now on, reads the connection in pieces, since it has become one of frames or of many requests. */
  meter(turns: Turns): Intake {
    this.intake ??= new Intake(this.socket, turns);
    return this.intake;
  }

  /**
   * Continues a connection that was full when `request` arrived. Node has stopped reading it behind the head of this
   * request, as for an upgrade. When all earlier requests are answered, the connection starts again with this request, and
   * is read in pieces from there on.
   *
   * @param rest bytes behind the head of the request
   */
  continueWith(request: IncomingMessage, rest: Buffer, { server, turns }: { server: Server; turns: Turns }): void {
    const { socket } = this;
    const intake = this.meter(turns);
    intake.block();
    intake.hold(Buffer.concat([headOf(request), rest]));
    // Node has removed its own listener. A failed connection closes by itself.
    socket.on("error", () => {});
    this.readmit = () => {
      this.readmit = undefined;
      if (socket.destroyed) return;
      // The idle timeout of the earlier requests would also end a long request.
      socket.setTimeout(0);
      server.emit("connection", socket);
      intake.unblock();
    };
    if (this.responses.length === 0) process.nextTick(this.readmit);
  }
}

/** Returns the bytes of a request up to its body. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
