/**
 * Keeps the server open to honest clients while others hold connections. Node refuses new connections above a number, but
 * closes no idle one for a new one. Its timeout of sockets would also end long requests and idle WebSockets.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { Connection, type FrameReader } from "./connection.js";
import { IdleConnections } from "./idle-connections.js";
import { Turns } from "./intake.js";
import { type PartialLimits, PartialMessages } from "./partial-messages.js";
import { UnsentReplies } from "./unsent-replies.js";

/** Interval in milliseconds at which a closing server looks for idle connections. */
const lookMs = 50;
/** Number of checks of a connection within `stalledMs`. */
const looksAtReader = 4;
/** Interval in milliseconds at which incomplete bodies and frames, and unread replies are measured. */
const measureMs = 250;
/** Share of `maxConnections` above which each new connection closes an idle connection. */
const roomyShare = 15 / 16;

export interface ConnectionLimits extends PartialLimits {
  /** Milliseconds after which a connection is closed if the client reads no byte of its replies, or stops in a message. */
  stalledMs: number;
  maxConnections: number;
  /** Bytes of unread replies of all clients. At twice this number, connections are closed. */
  maxUnsentBytes: number;
  /** See `ClientTimes`. */
  graceMs: number;
}

/** Sockets with as many unanswered requests as they may have, which Node's parser still reads directly. */
const full = new WeakSet<Socket>();
/** Sockets that are read in pieces. */
const metered = new WeakSet<Socket>();

/** Number of bytes of a body, and number of headers, from which a connection is read in pieces. */
const largeBodyBytes = 2 ** 20;
const manyHeaders = 128;

/**
 * Whether the connection of a request must be read in pieces from this request on. One read can hold thousands of requests,
 * or thousands of the chunks of a body. Node reads up to 2 MiB of each connection in one turn of the event loop.
 */
export function takesPieces({ socket, headers, rawHeaders }: IncomingMessage): boolean {
  if (full.has(socket)) return true;
  if (metered.has(socket)) return false;
  const isLarge = Number(headers["content-length"]) >= largeBodyBytes || rawHeaders.length >= 2 * manyHeaders;
  return isLarge || headers["transfer-encoding"] !== undefined;
}

/**
 * The TCP connections, with the unanswered requests of each connection. When a server closes, Node closes only idle
 * connections that have had a request. Node treats a connection that has had no request as a late request.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Connections that have had no request yet, from oldest to newest. */
  private readonly silent = new Set<Connection>();
  private readonly idle = new IdleConnections();
  private readonly turns = new Turns();
  private readonly partial: PartialMessages;
  private readonly unsent: UnsentReplies;

  constructor(private readonly limits: ConnectionLimits) {
    this.partial = new PartialMessages(limits);
    this.unsent = new UnsentReplies(limits.maxUnsentBytes, limits.onError);
  }

  /** Whether no further connection may be opened. */
  get isFull(): boolean {
    return this.open.size >= this.limits.maxConnections;
  }

  /** Number of bytes of HTTP replies that clients have not read yet. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const connection of this.open.values()) bytes += connection.unsentBytes;
    return bytes;
  }

  /** Watches an app. When the app closes, idle connections are closed and requests in flight are answered first. */
  register(app: FastifyInstance): void {
    const { stalledMs, maxConnections } = this.limits;
    const timers = [
      setInterval(() => this.watchReaders(), stalledMs / looksAtReader),
      setInterval(() => this.measure(), Math.min(measureMs, stalledMs / looksAtReader)),
    ];
    for (const timer of timers) timer.unref();
    app.addHook("onClose", () => timers.forEach(clearInterval));
    app.server.maxConnections = maxConnections;
    app.server.on("connection", (socket) => this.of(socket));
    app.addHook("onRequest", (request, reply, done) => {
      if (!request.ws) this.add(request.raw, reply.raw);
      done();
    });
    let closed: Promise<void> | undefined;
    app.addHook("preClose", async () => {
      closed = this.close(app);
    });
    app.addHook("onClose", () => closed);
  }

  /** Adds a request that has begun. */
  add({ socket }: IncomingMessage, response: ServerResponse): void {
    // An injected request has no connection. Connections to a second address of `localhost` emit no event here.
    if (!(socket instanceof Socket)) return;
    const connection = this.of(socket);
    if (connection.responses.length === 0 && !this.idle.delete(connection)) this.silent.delete(connection);
    connection.add(response);
    if (connection.isFull && !metered.has(socket)) full.add(socket);
    response.on("close", () => this.remove(connection, response));
  }

  /** Continues a connection from a request that `takesPieces`. */
  continueWith(request: IncomingMessage, rest: Buffer, server: Server): void {
    const { socket } = request;
    full.delete(socket);
    metered.add(socket);
    this.of(socket).continueWith(request, rest, { server, turns: this.turns });
  }

  /** The connection is about to become a WebSocket, or to be closed. */
  leaveHttp(socket: Duplex): void {
    const connection = this.open.get(socket as Socket);
    if (connection) this.forget(connection);
  }

  /** Adds a connection that has become a WebSocket. Its frames are read in pieces. */
  addFrames(socket: Socket, frames: FrameReader): void {
    const connection = this.of(socket);
    this.silent.delete(connection);
    connection.frames = frames;
    metered.add(socket);
    connection.meter(this.turns);
  }

  /** Whether a client would mistake an error that is sent now for the reply to an earlier request. */
  isAnswering(socket: Socket): boolean {
    return this.open.get(socket)?.isAnswering ?? false;
  }

  private measure(): void {
    this.partial.check(this.open.values(), performance.now());
    this.unsent.check(this.open.values());
  }

  /** Whether received bytes of the connection wait for the gym, and not for the client. */
  waits(socket: Socket): boolean {
    return this.open.get(socket)?.waits ?? false;
  }

  private of(socket: Socket): Connection {
    let connection = this.open.get(socket);
    if (!connection) {
      connection = new Connection(socket);
      this.makeRoom();
      this.open.set(socket, connection);
      this.silent.add(connection);
      const opened = connection;
      socket.once("close", () => this.forget(opened));
    }
    return connection;
  }

  private remove(connection: Connection, response: ServerResponse): void {
    connection.remove(response);
    if (connection.responses.length === 0 && this.open.has(connection.socket)) this.idle.add(connection);
  }

  private forget(connection: Connection): void {
    this.open.delete(connection.socket);
    this.silent.delete(connection);
    this.idle.delete(connection);
  }

  /** Closes an idle connection if few more can be opened. Node refuses new connections if nothing could be closed. */
  private makeRoom(): void {
    if (this.open.size < this.limits.maxConnections * roomyShare) return;
    const [unneeded = this.idle.longest] = this.silent;
    if (!unneeded) return;
    this.forget(unneeded);
    unneeded.socket.destroy();
  }

  /**
   * Sets Node's timeout on connections with unsent bytes, and removes the timeout from all other connections. Node closes a
   * connection if the client reads no byte within the timeout. The timeout is not set per reply, since nearly all replies
   * are sent at once.
   */
  private watchReaders(): void {
    const { stalledMs } = this.limits;
    for (const { socket, responses, frames } of this.open.values()) {
      // The code of the sockets watches WebSockets.
      if (frames) continue;
      const timed = socket.timeout === stalledMs;
      if (socket.writableLength > 0) {
        if (!timed) socket.setTimeout(stalledMs);
      } else if (timed && responses.length > 0) socket.setTimeout(0);
    }
  }

  private async close({ server }: FastifyInstance): Promise<void> {
    const lateAt = performance.now() + this.limits.graceMs;
    for (;;) {
      // While the server listens, a new connection may ask whether the gym is ready, and must get an answer.
      if (!server.listening) this.closeIdle(performance.now() > lateAt);
      if (!server.listening && this.http().length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  private closeIdle(late: boolean): void {
    for (const { socket, responses } of this.http()) {
      const isAwaited = late ? responses.some(isOurTurn) : responses.length > 0;
      if (!isAwaited) socket.destroy();
    }
  }

  /** Returns the connections of HTTP. The code of the sockets drains WebSockets. */
  private http(): Connection[] {
    return [...this.open.values()].filter(({ frames }) => !frames);
  }
}

/** Whether the gym has received the whole request and has not sent the whole reply. */
function isOurTurn({ req, writableEnded }: ServerResponse): boolean {
  return req.complete && !writableEnded;
}
