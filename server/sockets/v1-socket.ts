/**
 * `/v1/socket`: the operations of `/v1` as frames. A request is `{"id", "op", "params"}`, its reply `{"id", "result"}`
 * or `{"id", "error"}`, in whatever order they are done. Documented in openapi/socket.md.
 *
 * Episodes do not belong to a socket: after a dropped connection any other one carries on, and repeating the last step
 * gives its stored reply.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Caller } from "../episodes/gym.js";
import { GymError } from "../errors.js";
import { type Call, type Operation, type OperationName, operations } from "../operations.js";
import { invalid, toGymError } from "../plugins/error-replies.js";
import { errorText } from "../replies.js";
import { Corks } from "./corks.js";

const FrameId = z.union([z.string().max(200), z.int()]);

const Frame = z.strictObject({
  id: FrameId,
  op: z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]),
  params: z.unknown(),
});

export interface SocketOptions {
  call: Omit<Call, "caller">;
  /** Requests of one socket that are answered at a time; further ones wait in the sender's TCP window. */
  maxInFlight: number;
  onError(error: GymError): void;
  onSockets(change: 1 | -1): void;
}

const pingIntervalMs = 30_000;
/** Unsent bytes from which on nothing more is read from a socket, so that a slow reader slows itself down. */
const unsentHighWater = 2 ** 20;
/** How long such a reader may take none of it before it is cut off. */
const stalledReaderMs = 60_000;

/** Every open socket, so that they can be drained. */
export class V1Sockets {
  private readonly open = new Set<V1Socket>();
  private readonly params = paramSchemas();
  private readonly corks = new Corks();
  private readonly pings: NodeJS.Timeout;

  constructor(readonly options: SocketOptions) {
    this.pings = setInterval(() => {
      for (const socket of this.open) socket.ping();
    }, pingIntervalMs);
    this.pings.unref();
  }

  register(app: FastifyInstance): void {
    app.route({
      method: "GET",
      url: "/v1/socket",
      schema: { hide: true },
      handler: () => {
        throw new GymError("SOCKET_EXPECTED", "a WebSocket upgrade", "a plain request");
      },
      wsHandler: (socket, request) => this.accept(socket, request),
    });
  }

  /** Lets every socket finish what it is answering, then closes it. */
  async drain(): Promise<void> {
    clearInterval(this.pings);
    await Promise.all([...this.open].map((socket) => socket.drain()));
  }

  private accept(socket: WebSocket, request: FastifyRequest): void {
    const opened = new V1Socket(socket, request, this.options, this.params, this.corks);
    this.open.add(opened);
    this.options.onSockets(1);
    socket.on("close", () => {
      this.open.delete(opened);
      this.options.onSockets(-1);
    });
  }
}

class V1Socket {
  private readonly caller: Caller;
  private inFlight = 0;
  private paused = false;
  private answersPing = true;
  private unsentAtPing = 0;
  private stalledMs = 0;
  private idle: (() => void) | null = null;

  constructor(
    private readonly socket: WebSocket,
    private readonly request: FastifyRequest,
    private readonly options: SocketOptions,
    private readonly params: Record<OperationName, z.ZodType>,
    private readonly corks: Corks,
  ) {
    this.caller = request.caller;
    socket.on("message", (data, isBinary) => this.receive(data as Buffer, isBinary));
    socket.on("pong", () => {
      this.answersPing = true;
    });
    // A frame over the limit or out of protocol: ws closes the socket with the fitting code by itself.
    socket.on("error", (error) => request.log.debug({ err: error }, "socket error"));
    request.socket.on("drain", () => this.balance());
  }

  /** Ends a connection whose other side is gone without a word, or takes nothing of what it asked for. */
  ping(): void {
    const unsent = this.socket.bufferedAmount;
    this.stalledMs = unsent > 0 && unsent >= this.unsentAtPing ? this.stalledMs + pingIntervalMs : 0;
    this.unsentAtPing = unsent;
    if (!this.answersPing || this.stalledMs >= stalledReaderMs) return this.socket.terminate();
    // A reader that is merely slow gets the ping behind megabytes of replies: it is judged by what it takes instead.
    if (unsent > 0) return;
    this.answersPing = false;
    this.socket.ping();
  }

  async drain(): Promise<void> {
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    this.socket.close(1001, "the server is shutting down");
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.refuse(null, new GymError("SOCKET_FRAME_BINARY", "a text frame", "a binary one"));
    let frame: unknown;
    try {
      frame = JSON.parse(data.toString());
    } catch (error) {
      return this.refuse(null, new GymError("REQUEST_MALFORMED", "a frame of JSON", (error as Error).message));
    }
    const parsed = Frame.safeParse(frame);
    if (!parsed.success) return this.refuse(idOf(frame), invalidFrame(parsed.error));
    const { id, op, params } = parsed.data;
    const checked = this.params[op].safeParse(params ?? {});
    if (!checked.success) return this.refuse(id, invalidFrame(checked.error));
    this.inFlight += 1;
    this.balance();
    const operation: Operation = operations[op];
    operation.run({ ...this.options.call, caller: this.caller }, checked.data as never).then(
      (result) => this.settle(`{"id":${JSON.stringify(id)},"result":${result}}`),
      (error: Error) => this.settle(this.errorFrame(id, error)),
    );
  }

  private settle(frame: string): void {
    this.inFlight -= 1;
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

  /** Reads on only while there is room for what reading leads to. */
  private balance(): void {
    const full = this.inFlight >= this.options.maxInFlight || this.socket.bufferedAmount >= unsentHighWater;
    if (full === this.paused) return;
    this.paused = full;
    if (full) this.socket.pause();
    else this.socket.resume();
  }
}

/** What each operation takes on the socket: path, query, body and header of its route in one object. */
function paramSchemas(): Record<OperationName, z.ZodType> {
  const entries = Object.entries<Operation>(operations).map(([name, { path, query, body, header }]) => [
    name,
    z.strictObject({ ...path.shape, ...query.shape, ...body?.shape, ...header.shape }),
  ]);
  return Object.fromEntries(entries) as Record<OperationName, z.ZodType>;
}

function idOf(frame: unknown): string | number | null {
  const id = FrameId.safeParse((frame as { id?: unknown } | null)?.id);
  return id.success ? id.data : null;
}

function invalidFrame(error: z.ZodError): GymError {
  return invalid(
    "frame",
    error.issues.map(({ path, message }) => ({ instancePath: path.map(String).join("/"), message })),
  );
}
