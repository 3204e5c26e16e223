/**
 * A WebSocket to another gym, for many operations at the same time. An operation is the frame `<id> <name> <JSON>`, and its
 * reply is `<id>=<JSON>` or `<id>!<JSON of an error>`. Frames of one turn of the event loop are sent in one write, which
 * costs a fraction of an HTTP request for each.
 */
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { Corks } from "../sockets/corks.js";
import { errorIn, PeerLost } from "./peer-errors.js";

/** Path of the socket between gyms. */
export const fleetSocketPath = "/fleet/socket";

const connectMs = 2_000;

/** Milliseconds until an operation without a reply counts as lost: longer than any step. */
const silentMs = 120_000;
const checkMs = 5_000;

interface Waiting {
  resolve(reply: string): void;
  reject(error: Error): void;
  sinceMs: number;
}

const corks = new Corks();

export class PeerSocket {
  private readonly socket: WebSocket;
  private connection: Socket | null = null;
  /** Operations without a reply, the oldest first. */
  private readonly waiting = new Map<number, Waiting>();
  /** Frames that wait for the connection. */
  private unsent: string[] = [];
  private nextId = 0;
  private readonly checks: NodeJS.Timeout;

  /** @param address URL of the other gym @param authorization header with the secret of the fleet */
  constructor(address: string, authorization: string) {
    this.socket = new WebSocket(address.replace(/^http/, "ws").replace(/\/$/, "") + fleetSocketPath, {
      headers: { authorization },
      handshakeTimeout: connectMs,
      perMessageDeflate: false,
    });
    let cause = "the other gym closed the connection";
    this.socket.on("upgrade", ({ socket }) => {
      this.connection = socket;
    });
    this.socket.on("open", () => this.sendWaiting());
    this.socket.on("message", (data: Buffer) => this.receive(data.toString()));
    this.socket.on("error", ({ message }) => {
      cause = message;
    });
    this.socket.on("close", () => this.end(cause));
    this.checks = setInterval(() => this.refuseSilent(), checkMs);
    this.checks.unref();
  }

  /** Whether further operations can be sent. */
  get isUsable(): boolean {
    return this.socket.readyState === WebSocket.CONNECTING || this.socket.readyState === WebSocket.OPEN;
  }

  /** @param forwarded caller and parameters as JSON @throws {PeerLost} @throws {GymError} the error of the operation */
  call(name: string, forwarded: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject, sinceMs: performance.now() });
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
    const [head = "", id] = /^(\d+)[=!]/.exec(frame) ?? [];
    const waiting = this.waiting.get(Number(id));
    // A reply may come after its operation was given up.
    if (!waiting) return;
    this.waiting.delete(Number(id));
    const text = frame.slice(head.length);
    if (head.endsWith("=")) waiting.resolve(text);
    else waiting.reject(errorIn(text));
  }

  private refuseSilent(): void {
    const before = performance.now() - silentMs;
    for (const [id, { sinceMs, reject }] of this.waiting) {
      if (sinceMs > before) return;
      this.waiting.delete(id);
      reject(new PeerLost(`the other gym sent no reply for ${silentMs / 1_000} seconds`, true));
    }
  }

  private end(cause: string): void {
    clearInterval(this.checks);
    const mayHaveRun = this.connection !== null;
    for (const { reject } of this.waiting.values()) reject(new PeerLost(cause, mayHaveRun));
    this.waiting.clear();
  }
}
