/**
 * Serves `/v1/socket`: the operations of `/v1` as frames. A request is `{"id", "op", "params"}`, and its reply is
 * `{"id", "result"}` or `{"id", "error"}`. Replies may arrive in any order. openapi/socket.md documents the protocol.
 *
 * Episodes do not belong to a socket. After a lost connection, the client can continue its episodes on another socket.
 * A repeated step gets its stored reply.
 */
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import { GymError } from "../errors.js";
import type { Call, Operation, Served } from "../operation.js";
import { type OperationName, operations } from "../operations.js";
import type { Connections } from "../plugins/connections.js";
import { invalid, toGymError } from "../plugins/error-replies.js";
import { errorText } from "../replies.js";
import { boundedIssues, parse, quick } from "../validation.js";
import { Pongs } from "./pongs.js";

/** Path of the WebSocket. */
export const socketUrl = "/v1/socket";

const FrameId = z.union([z.string().max(200), z.int()]);

const Frame = quick(
  z.strictObject({
    id: FrameId,
    op: z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]),
    params: z.unknown().optional(),
  }),
);

export interface SocketOptions {
  served: Served;
  connections: Connections;
  /**
   * Largest number of requests of one socket that are handled at the same time. Further requests are not read
   * (backpressure).
   */
  maxInFlight: number;
  /** Milliseconds between pings. */
  pingMs: number;
  /** Milliseconds after which a socket is closed if the client reads none of its replies. */
  stalledMs: number;
  /** Returns the error for a further request of the owner, or null. A socket can outlive its token. */
  refusalOf(owner: string): GymError | null;
  onError(error: GymError): void;
  onSockets(change: 1 | -1): void;
}

/** Code of the WebSocket protocol for a policy violation. */
const policyViolation = 1008;

/** Unsent bytes at which the server stops reading from a socket (backpressure). */
const unsentHighWater = 2 ** 20;
/**
 * Limit in bytes on the memory of one socket's requests in flight: their frames, plus an estimate for their replies.
 */
const heldHighWater = 4 * 2 ** 20;
/** Estimated size in bytes of a reply that is not the reply to a step. It may be much larger than its request. */
const unknownReplyBytes = 2 ** 18;

/** All open sockets. */
export class V1Sockets {
  private readonly open = new Set<V1Socket>();
  private readonly params = paramSchemas();
  private readonly corks = new Corks();
  private readonly pings: NodeJS.Timeout;

  constructor(readonly options: SocketOptions) {
    this.pings = setInterval(() => {
      for (const socket of this.open) socket.ping();
    }, options.pingMs);
    this.pings.unref();
  }

  register(app: FastifyInstance): void {
    app.route({
      method: "GET",
      url: socketUrl,
      schema: { hide: true },
      handler: (_request, reply) => {
        reply.header("upgrade", "websocket");
        throw new GymError("SOCKET_EXPECTED", "a WebSocket upgrade", "a plain HTTP request");
      },
      wsHandler: (socket, request) => this.accept(socket, request),
    });
  }

  /** Closes every socket when its requests in flight are answered. */
  async drain(): Promise<void> {
    clearInterval(this.pings);
    await Promise.all([...this.open].map((socket) => socket.drain()));
  }

  private accept(socket: WebSocket, request: FastifyRequest): void {
    const opened = new V1Socket(socket, request, this.options, this.params, this.corks);
    this.open.add(opened);
    this.options.connections.addFrames(request.socket, {
      partialBytes: () => (socket.readyState === socket.OPEN ? partialBytes(socket) : 0),
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

class V1Socket {
  private readonly call: Call;
  private inFlight = 0;
  private heldBytes = 0;
  private paused = false;
  /** Frames that ws had read before reading was paused. Their size is a few thousand bytes, or one frame. */
  private readonly unread: [Buffer, boolean][] = [];
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
  /** Listeners of requests in flight, called when the connection ends. */
  private readonly hangUpListeners = new Set<() => void>();

  constructor(
    private readonly socket: WebSocket,
    private readonly request: FastifyRequest,
    private readonly options: SocketOptions,
    private readonly params: Record<OperationName, z.ZodType>,
    private readonly corks: Corks,
  ) {
    this.call = { ...options.served, caller: request.caller, onHangUp: (listener) => this.onHangUp(listener) };
    socket.on("close", () => {
      for (const listener of this.hangUpListeners) listener();
    });
    socket.on("message", (data, isBinary) => this.onMessage(data as Buffer, isBinary));
    socket.on("pong", () => {
      this.heard = true;
    });
    socket.on("ping", (data) => this.pongs.owe(data));
    request.socket.on("drain", () => this.balance());
    // Node emits `timeout` only if the client took no byte in the meantime.
    request.socket.setTimeout(options.stalledMs);
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
    if (this.paused) this.unread.push([data, isBinary]);
    else this.receive(data, isBinary);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.refuse(null, new GymError("SOCKET_FRAME_BINARY", "a text frame", "a binary frame"));
    let frame: unknown;
    try {
      frame = JSON.parse(data.toString());
    } catch (error) {
      return this.refuse(null, new GymError("REQUEST_MALFORMED", "a frame of JSON", (error as Error).message));
    }
    const parsed = parse(Frame, frame);
    if (!parsed.success) return this.refuse(idOf(frame), invalidFrame(parsed.error));
    const { id, op, params } = parsed.data;
    const refusal = this.options.refusalOf(this.call.caller.owner);
    if (refusal) return this.refuse(id, refusal);
    const checked = parse(this.params[op], params ?? {});
    if (!checked.success) return this.refuse(id, invalidFrame(checked.error));
    const heldBytes = data.length + (op === "step" ? 0 : unknownReplyBytes);
    this.inFlight += 1;
    this.heldBytes += heldBytes;
    this.balance();
    const operation: Operation = operations[op];
    operation.run(this.call, checked.data as never).then(
      (result) => this.settle(heldBytes, `{"id":${JSON.stringify(id)},"result":${result}}`),
      (error: Error) => this.settle(heldBytes, this.errorFrame(id, error)),
    );
  }

  private onHangUp(listener: () => void): () => void {
    this.hangUpListeners.add(listener);
    return () => this.hangUpListeners.delete(listener);
  }

  private settle(heldBytes: number, frame: string): void {
    this.inFlight -= 1;
    this.heldBytes -= heldBytes;
    this.send(frame);
    if (this.inFlight === 0) this.idle?.();
  }

  private refuse(id: string | number | null, error: GymError): void {
    this.send(this.errorFrame(id, error));
  }

  private errorFrame(id: string | number | null, error: Error): string {
    const gymError = toGymError(error);
    if (gymError.code === "SERVER_FAULT") this.request.log.error({ err: error }, "fault in the gym");
    this.options.onError(gymError);
    return `{"id":${JSON.stringify(id)},${errorText(gymError).slice(1)}`;
  }

  private send(frame: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.corks.hold(this.request.socket);
    this.socket.send(frame);
    this.balance();
  }

  /** Pauses reading while a limit is reached, and resumes it afterwards. */
  private balance(): void {
    const { inFlight, heldBytes, socket } = this;
    const unsent = socket.bufferedAmount;
    const full = inFlight >= this.options.maxInFlight || heldBytes >= heldHighWater || unsent >= unsentHighWater;
    if (full === this.paused) return;
    this.paused = full;
    if (full) return socket.pause();
    while (!this.paused) {
      const next = this.unread.shift();
      if (!next) return socket.resume();
      this.receive(...next);
    }
  }
}

/** Schemas of the operations' `params`, which combine path, query, body and headers of the HTTP route in one object. */
function paramSchemas(): Record<OperationName, z.ZodType> {
  const entries = Object.entries<Operation>(operations).map(([name, { path, query, body, header }]) => [
    name,
    z.strictObject({ ...path.shape, ...query.shape, ...body?.shape, ...header.shape }),
  ]);
  const schemas = Object.fromEntries(entries) as Record<OperationName, z.ZodType>;
  quick(schemas.step);
  quick(schemas.stepMany);
  return schemas;
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

function idOf(frame: unknown): string | number | null {
  const id = parse(FrameId, (frame as { id?: unknown } | null)?.id);
  return id.success ? id.data : null;
}

function invalidFrame(error: z.ZodError): GymError {
  const issues = error.issues.map(({ path, message }) => ({ instancePath: path.map(String).join("/"), message }));
  return invalid("frame", boundedIssues(issues));
}

/**
 * Collects the writes to a TCP socket during one turn of the event loop, so that all replies of the turn are sent in
 * one write.
 */
class Corks {
  private readonly corked = new Set<Socket>();

  hold(socket: Socket): void {
    if (this.corked.has(socket)) return;
    if (this.corked.size === 0) setImmediate(() => this.release());
    this.corked.add(socket);
    socket.cork();
  }

  private release(): void {
    const sockets = [...this.corked];
    this.corked.clear();
    for (const socket of sockets) socket.uncork();
  }
}
