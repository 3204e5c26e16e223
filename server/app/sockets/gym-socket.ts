/**
 * WebSockets of all protocols. A socket stops reading (backpressure) while too many of its requests are in flight, too
 * much memory is held for them, or the client does not read its replies. A socket whose client has vanished is closed.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { GymError } from "../../errors.js";
import { Corks } from "../../fleet/corks.js";
import type { Connections } from "../plugins/connections.js";
import { Pongs } from "./pongs.js";

/** Reply to a message that is handled in the background. */
export interface Pending {
  /** Text of the reply. Never rejects. */
  reply: Promise<string>;
  /** Estimated size of the reply in bytes. It counts as held from the arrival of the message on. */
  replyBytes: number;
}

/** A protocol's side of one socket. */
export interface Conversation {
  /** Largest number of requests that are handled at the same time. With 1, replies are in the order of the requests. */
  readonly maxInFlight: number;
  /** Limit in bytes on the memory of the requests in flight: their frames, plus an estimate for their replies. Default: 4 MiB. */
  readonly maxHeldBytes?: number;
  /** Handles a message. Returns the reply, or undefined if the message has none. */
  receive(message: Buffer, isBinary: boolean): string | Pending | undefined;
  /** Called when the connection has ended. */
  end(): void;
}

/** The server's end of a socket, for a conversation. */
export interface Line {
  /** Sends a message that answers no request. */
  send(text: string): void;
  /** Closes the socket after the messages that were sent. */
  close(code: number, reason: string): void;
}

/** A protocol whose clients connect to a path of its own. */
export interface SocketProtocol {
  /** Path of the WebSocket as a route. */
  url: string;
  /** Returns the error for a request that may not open a socket, instead of the check of its token. */
  refusalOf?(request: FastifyRequest): GymError | null;
  begin(request: FastifyRequest, line: Line): Conversation;
}

export interface SocketOptions {
  connections: Connections;
  /** Milliseconds between pings. */
  pingMs: number;
  /** Milliseconds after which a socket is closed if the client reads none of its replies. */
  stalledMs: number;
  onSockets(change: 1 | -1): void;
}

/** Code of the WebSocket protocol for a policy violation. */
const policyViolation = 1008;

/** Unsent bytes at which the server stops reading from a socket (backpressure). */
const unsentHighWater = 2 ** 20;
/** Default of `maxHeldBytes`. */
const heldHighWater = 4 * 2 ** 20;
/**
 * Bytes of messages and their number that wait for their turn before the server stops reading. As long as it reads, it
 * notices that the client has gone or gives no sign of life.
 */
const [waitingHighWater, mostWaiting] = [2 ** 14, 64];

/** All open sockets. */
export class GymSockets {
  private readonly open = new Set<GymSocket>();
  private readonly corks = new Corks();
  private readonly pings: NodeJS.Timeout;

  constructor(private readonly options: SocketOptions) {
    this.pings = setInterval(() => {
      for (const socket of this.open) socket.ping();
    }, options.pingMs);
    this.pings.unref();
  }

  register(app: FastifyInstance, protocol: SocketProtocol): void {
    app.route({
      method: "GET",
      url: protocol.url,
      schema: { hide: true },
      ...(protocol.refusalOf && {
        config: { public: true },
        onRequest: (request, _reply, done) => done(protocol.refusalOf?.(request) ?? undefined),
      }),
      handler: (_request, reply) => {
        reply.header("upgrade", "websocket");
        throw new GymError("SOCKET_EXPECTED", "a WebSocket upgrade", "a plain HTTP request");
      },
      wsHandler: (socket, request) => this.accept(socket, request, protocol),
    });
  }

  /** Closes every socket when its requests in flight are answered. */
  async drain(): Promise<void> {
    clearInterval(this.pings);
    await Promise.all([...this.open].map((socket) => socket.drain()));
  }

  private accept(socket: WebSocket, request: FastifyRequest, protocol: SocketProtocol): void {
    const opened = new GymSocket(socket, request, protocol, { corks: this.corks, stalledMs: this.options.stalledMs });
    this.open.add(opened);
    this.options.connections.addFrames(request.socket, {
      partialBytes: () => (socket.readyState === socket.OPEN ? partialBytes(socket) + opened.waitingBytes : 0),
      unsentBytes: () => socket.bufferedAmount,
      close: (code, reason) => {
        socket.close(code, reason);
        discardInput(socket);
      },
    });
    this.options.onSockets(1);
    socket.on("close", () => {
      this.open.delete(opened);
      this.options.onSockets(-1);
    });
  }
}

class GymSocket {
  private readonly conversation: Conversation;
  private inFlight = 0;
  private heldBytes = 0;
  /** Whether messages wait for their turn, because a limit is reached. */
  private waiting = false;
  /** Whether the server has stopped reading. */
  private paused = false;
  private readonly unread: [Buffer, boolean][] = [];
  /** Bytes of the messages that wait for their turn. */
  waitingBytes = 0;
  /** Whether anything was received since the last ping. */
  private heard = true;
  private idle: (() => void) | null = null;
  private readonly pongs = new Pongs({
    answer: (data) => {
      if (this.socket.readyState === this.socket.OPEN) this.socket.pong(data);
      this.balance();
    },
    refuse: () => this.socket.close(policyViolation, "too many pings"),
  });

  constructor(
    private readonly socket: WebSocket,
    private readonly request: FastifyRequest,
    protocol: SocketProtocol,
    private readonly parts: { corks: Corks; stalledMs: number },
  ) {
    this.conversation = protocol.begin(request, {
      send: (text) => this.send(text),
      close: (code, reason) => socket.close(code, reason),
    });
    socket.on("close", () => this.conversation.end());
    socket.on("message", (data, isBinary) => this.onMessage(data as Buffer, isBinary));
    socket.on("pong", () => {
      this.heard = true;
    });
    socket.on("ping", (data) => this.pongs.owe(data));
    request.socket.on("drain", () => this.balance());
    // Node emits `timeout` only if the client took no byte in the meantime.
    request.socket.setTimeout(parts.stalledMs);
    request.socket.on("timeout", () => {
      if (socket.bufferedAmount > 0) socket.terminate();
    });
  }

  /** Pings the client, and closes the connection if the client has not answered the previous ping. */
  ping(): void {
    // While reading is paused no pong can be read. A ping that waits behind megabytes of replies arrives late.
    if (this.paused || this.socket.bufferedAmount > 0) return;
    if (!this.heard) return this.socket.terminate();
    this.heard = false;
    this.socket.ping();
  }

  async drain(): Promise<void> {
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    this.socket.close(1001, "the server is shutting down");
  }

  private onMessage(data: Buffer, isBinary: boolean): void {
    // Frames may still arrive after the socket was closed.
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.heard = true;
    if (!this.waiting) return this.receive(data, isBinary);
    this.unread.push([data, isBinary]);
    this.waitingBytes += data.length;
    this.pauseOrResume();
  }

  private receive(data: Buffer, isBinary: boolean): void {
    const answer = this.conversation.receive(data, isBinary);
    if (answer === undefined) return;
    if (typeof answer === "string") return this.send(answer);
    const heldBytes = data.length + answer.replyBytes;
    this.inFlight += 1;
    this.heldBytes += heldBytes;
    this.balance();
    answer.reply.then((text) => this.settle(heldBytes, text));
  }

  private settle(heldBytes: number, text: string): void {
    this.inFlight -= 1;
    this.heldBytes -= heldBytes;
    this.send(text);
    if (this.inFlight === 0) this.idle?.();
  }

  private send(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.parts.corks.hold(this.request.socket);
    this.socket.send(text);
    this.balance();
  }

  /** Lets messages wait while a limit is reached, and receives them afterwards. */
  private balance(): void {
    const { inFlight, heldBytes } = this;
    const { maxInFlight, maxHeldBytes = heldHighWater } = this.conversation;
    const full = inFlight >= maxInFlight || heldBytes >= maxHeldBytes || this.socket.bufferedAmount >= unsentHighWater;
    const wasWaiting = this.waiting;
    this.waiting = full;
    while (wasWaiting && !this.waiting) {
      const next = this.unread.shift();
      if (!next) break;
      this.waitingBytes -= next[0].length;
      this.receive(...next);
    }
    this.pauseOrResume();
  }

  private pauseOrResume(): void {
    const { waiting, waitingBytes, unread, heldBytes, socket } = this;
    const { maxHeldBytes = heldHighWater } = this.conversation;
    const isCrowded = waitingBytes >= waitingHighWater || unread.length >= mostWaiting;
    const mustPause = waiting && (isCrowded || heldBytes >= maxHeldBytes || socket.bufferedAmount >= unsentHighWater);
    if (mustPause === this.paused) return;
    this.paused = mustPause;
    if (mustPause) socket.pause();
    else socket.resume();
  }
}

/** Memory of one chunk of an incomplete frame in bytes, in addition to its content. */
const chunkOverhead = 256;

/** Returns the memory in bytes of a message that has arrived in part. */
function partialBytes(socket: WebSocket): number {
  // The parser of ws has no public property for this. The tests fail if an update renames the private ones.
  const { _bufferedBytes, _messageLength, _buffers, _fragments } = (socket as unknown as { _receiver: FrameParser })
    ._receiver;
  return _bufferedBytes + _messageLength + chunkOverhead * (_buffers.length + _fragments.length);
}

/** Frees the message that has arrived in part, and ignores what arrives from now on. */
function discardInput(socket: WebSocket): void {
  const parser = (socket as unknown as { _receiver: FrameParser })._receiver;
  Object.assign(parser, { write: () => true, _buffers: [], _bufferedBytes: 0, _fragments: [], _messageLength: 0 });
}

interface FrameParser {
  write(chunk: Buffer): boolean;
  _bufferedBytes: number;
  _messageLength: number;
  _buffers: Buffer[];
  _fragments: Buffer[];
}
