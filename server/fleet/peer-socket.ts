/**
 * A WebSocket to another gym, for many operations at the same time. An operation is the frame `<id> <name> <JSON>`, and its
 * reply is `<id>=<JSON>` or `<id>!<JSON of an error>`. Frames of one turn of the event loop are sent in one write, which
 * costs a fraction of an HTTP request for each.
 */
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { Corks } from "./corks.js";
import { errorIn, PeerLost } from "./peer-errors.js";

/** Path of the socket between gyms. */
export const fleetSocketPath = "/fleet/socket";

const connectMs = 5_000;

/**
 * Milliseconds between pings, and the number of pings in a row that a gym may leave without an answer. A step may take
 * hours, so its reply has no limit, and the pings tell that the network between the gyms is cut.
 */
const [pingMs, mostUnanswered] = [5_000, 4];

interface Waiting {
  resolve(reply: string): void;
  reject(error: Error): void;
}

export interface PeerSocketOptions {
  /** Called when the gym has answered neither the connection request nor the pings in time. */
  onSilent?(): void;
  /** Default: 5 seconds. */
  pingMs?: number;
}

const corks = new Corks();

export class PeerSocket {
  private readonly socket: WebSocket;
  private connection: Socket | null = null;
  /** Operations without a reply. */
  private readonly waiting = new Map<number, Waiting>();
  /** Frames that wait for the connection. */
  private unsent: string[] = [];
  private nextId = 0;
  private readonly openedAt = performance.now();
  private cause = "the other gym closed the connection";
  private readonly pings: NodeJS.Timeout;
  /** Number of pings since the other gym was heard last. */
  private unanswered = 0;

  /** @param address URL of the other gym @param authorization header with the secret of the fleet */
  constructor(
    address: string,
    authorization: string,
    private readonly options: PeerSocketOptions = {},
  ) {
    this.socket = new WebSocket(address.replace(/^http/, "ws").replace(/\/$/, "") + fleetSocketPath, {
      headers: { authorization },
      handshakeTimeout: connectMs,
      perMessageDeflate: false,
    });
    this.socket.on("upgrade", ({ socket }) => {
      this.connection = socket;
    });
    this.socket.on("open", () => this.sendWaiting());
    this.socket.on("message", (data: Buffer) => this.receive(data.toString()));
    this.socket.on("pong", () => this.hear());
    this.socket.on("error", ({ message }) => {
      this.cause = message;
    });
    this.socket.on("close", () => this.end());
    this.pings = setInterval(() => this.ping(), options.pingMs ?? pingMs);
    this.pings.unref();
  }

  /** Whether further operations can be sent. */
  get isUsable(): boolean {
    return this.socket.readyState === WebSocket.CONNECTING || this.socket.readyState === WebSocket.OPEN;
  }

  /** @param forwarded caller and parameters as JSON @throws {PeerLost} @throws {GymError} the error of the operation */
  call(name: string, forwarded: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject });
      const frame = `${id} ${name} ${forwarded}`;
      if (this.connection && this.socket.readyState === WebSocket.OPEN) this.send(this.connection, frame);
      else this.unsent.push(frame);
    });
  }

  /** Ends the connection at once, since a frozen gym would not answer a close. */
  close(): void {
    this.socket.terminate();
  }

  private sendWaiting(): void {
    for (const frame of this.unsent) this.send(this.connection as Socket, frame);
    this.unsent = [];
  }

  private send(connection: Socket, frame: string): void {
    corks.hold(connection);
    this.socket.send(frame);
  }

  private receive(frame: string): void {
    this.hear();
    const [head = "", id] = /^(\d+)[=!]/.exec(frame) ?? [];
    const waiting = this.waiting.get(Number(id));
    // A reply may come after its operation was given up.
    if (!waiting) return;
    this.waiting.delete(Number(id));
    const text = frame.slice(head.length);
    if (head.endsWith("=")) waiting.resolve(text);
    else waiting.reject(errorIn(text));
  }

  private hear(): void {
    this.unanswered = 0;
  }

  private ping(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (this.unanswered < mostUnanswered) {
      this.unanswered += 1;
      return this.socket.ping();
    }
    this.cause = "the other gym has answered no ping for too long";
    this.socket.terminate();
  }

  private end(): void {
    clearInterval(this.pings);
    const mayHaveRun = this.connection !== null;
    const hasTimedOut = !mayHaveRun && performance.now() - this.openedAt >= connectMs;
    if (hasTimedOut || this.unanswered === mostUnanswered) this.options.onSilent?.();
    for (const { reject } of this.waiting.values()) reject(new PeerLost(this.cause, mayHaveRun));
    this.waiting.clear();
  }
}
