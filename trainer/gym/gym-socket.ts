/**
 * A client of `/v1/socket` that reconnects. Requests carry ids; a dropped connection is reopened with back-off, and
 * unanswered requests are sent again. This is safe because every request is idempotent: a step contains its index, a
 * create has an idempotency key, and repeating any other request has no further effect.
 */
import { WebSocket } from "ws";
import { openAbort } from "../abort.js";
import { type BackOff, backOffMs, sleep } from "./back-off.js";
import { GymError } from "./gym.js";
import { parseReply, socketUrl } from "./gym-socket-frames.js";

export interface GymSocketOptions {
  /** Bearer token. A function is called for each connection, since a restarted gym may have a new token. */
  readonly token?: string | (() => string | undefined) | undefined;
  /** Milliseconds for which a lost connection is retried before pending requests fail. Default 60 s. */
  readonly giveUpMs?: number;
  /**
   * Timeout of a request in milliseconds, retries included. By default, 180 s, and 31 minutes for the start of an episode
   * that the gym has not refused: an environment may have to reset a web site first, for which it has 30 minutes.
   */
  readonly requestMs?: number;
  /**
   * Milliseconds between pings. A connection that receives nothing for one to two intervals counts as lost. Default 20
   * s.
   */
  readonly heartbeatMs?: number;
  /**
   * Back-off between attempts to connect, and between retries of a request that the gym refused for lack of capacity.
   */
  readonly backOff?: BackOff;
  /** Milliseconds that an attempt to connect may take. Default 10 s. */
  readonly connectMs?: number;
}

/** Sends requests to a gym, or to the gyms of a fleet. */
export interface Requests {
  /** Sends a request and waits for its reply. @throws {GymError}, or the signal's reason */
  request<T>(op: string, params: object, signal?: AbortSignal): Promise<T>;
  /** Never rejects; a second call has no effect. */
  close(): Promise<void>;
}

interface Pending {
  readonly frame: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
  attempts: number;
  /** Last refusal after which the request is sent again. */
  refusal: GymError | undefined;
}

/** Error codes of requests that had no effect and may be sent again. */
const transientCodes = new Set(["SERVER_DRAINING", "HOST_FAILED", "LOG_FAILED"]);

const closingMs = 2_000;

const defaultRequestMs = 180_000;
const defaultCreateMs = 1_860_000;
const tokenRemedy =
  "Create a token on the gym's machine with `palestra token create --name <name>`, and set GYM_TOKEN to it.";

export class GymSocket implements Requests {
  /** Called after each connection but the first. */
  onReconnected: () => void = () => {};
  private socket: WebSocket | undefined;
  private connecting: Promise<void> | undefined;
  private readonly pending = new Map<number, Pending>();
  private readonly closing = openAbort();
  private heartbeat: NodeJS.Timeout;
  private nextId = 0;
  private heard = true;
  private giveUpMs: number;
  private readonly requestMs: number;
  private readonly createMs: number;
  private readonly backOff: BackOff;

  private constructor(
    private readonly url: string,
    private readonly options: GymSocketOptions,
  ) {
    this.giveUpMs = options.giveUpMs ?? 60_000;
    this.requestMs = options.requestMs ?? defaultRequestMs;
    this.createMs = options.requestMs ?? defaultCreateMs;
    this.backOff = options.backOff ?? { baseMs: 100, maxMs: 5_000 };
    this.heartbeat = setInterval(() => this.beat(), options.heartbeatMs ?? 20_000).unref();
  }

  /**
   * Connects to a gym.
   *
   * @param url URL of the gym, such as `http://127.0.0.1:8700`
   * @throws {GymError} GYM_UNREACHABLE or GYM_REFUSED; the first connection is not retried
   */
  static async connect(url: string, options: GymSocketOptions = {}): Promise<GymSocket> {
    const socket = new GymSocket(socketUrl(url), options);
    try {
      await socket.open();
    } catch (error) {
      await socket.close();
      throw error;
    }
    return socket;
  }

  get isOpen(): boolean {
    return this.socket !== undefined;
  }

  /** Changes `giveUpMs` and `heartbeatMs`, for a gym whose requests other gyms can answer. */
  hurry(giveUpMs: number, heartbeatMs: number): void {
    this.giveUpMs = giveUpMs;
    clearInterval(this.heartbeat);
    if (!this.closing.signal.aborted) this.heartbeat = setInterval(() => this.beat(), heartbeatMs).unref();
  }

  request<T>(op: string, params: object, signal?: AbortSignal): Promise<T> {
    if (this.closing.signal.aborted) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.nextId++;
    return new Promise<T>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.pending.delete(id);
      };
      const entry: Pending = {
        frame: JSON.stringify({ id, op, params }),
        resolve: (result) => {
          settle();
          resolve(result as T);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        attempts: 0,
        refusal: undefined,
      };
      const expire = (afterMs: number) => entry.reject(entry.refusal ?? this.timeoutError(op, afterMs));
      let timer = setTimeout(() => {
        if (op !== "create" || entry.refusal || this.createMs <= this.requestMs) return expire(this.requestMs);
        timer = setTimeout(() => expire(this.createMs), this.createMs - this.requestMs);
      }, this.requestMs);
      const abort = () => entry.reject(signal?.reason);
      signal?.addEventListener("abort", abort);
      this.pending.set(id, entry);
      if (this.socket) this.socket.send(entry.frame);
      else this.reconnect();
    });
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort(closedError());
    clearInterval(this.heartbeat);
    this.rejectAll(closedError());
    const { socket } = this;
    await this.connecting;
    if (!socket) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.terminate(), closingMs);
      socket.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      socket.close(1000);
    });
  }

  /** Makes one attempt to connect. */
  private open(): Promise<void> {
    const token = this.token;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = new WebSocket(this.url, {
      headers,
      perMessageDeflate: false,
      handshakeTimeout: this.options.connectMs ?? 10_000,
    });
    socket.on("message", (data) => this.receive(data.toString()));
    socket.on("pong", () => {
      this.heard = true;
    });
    return new Promise((resolve, reject) => {
      socket.on("unexpected-response", (request, response) => {
        reject(this.refusal(response.statusCode ?? 0, token));
        response.resume();
        request.destroy();
      });
      socket.on("error", (error) => reject(this.unreachable(error.message)));
      socket.once("open", () => {
        this.socket = socket;
        this.heard = true;
        socket.once("close", () => this.onLost());
        resolve();
      });
    });
  }

  private get token(): string | undefined {
    const { token } = this.options;
    return typeof token === "function" ? token() : token;
  }

  private onLost(): void {
    this.socket = undefined;
    if (this.pending.size > 0) this.reconnect();
  }

  private reconnect(): void {
    if (this.closing.signal.aborted) return;
    this.connecting ??= this.connectAgain().finally(() => {
      this.connecting = undefined;
      // The connection may be lost again by now, or a request may have arrived when the last attempt failed.
      if (!this.socket && this.pending.size > 0) this.reconnect();
    });
  }

  /** Retries the connection for `giveUpMs`, then fails the pending requests. Never rejects. */
  private async connectAgain(): Promise<void> {
    const givenUpAt = performance.now() + this.giveUpMs;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.open();
        if (this.closing.signal.aborted) return this.socket?.terminate();
        for (const { frame } of this.pending.values()) this.socket?.send(frame);
        return this.onReconnected();
      } catch (error) {
        const gymError = error as GymError;
        if (!gymError.passes || performance.now() > givenUpAt) return this.rejectAll(gymError);
      }
      try {
        await sleep(backOffMs(this.backOff, attempt), this.closing.signal);
      } catch {
        return;
      }
    }
  }

  private receive(text: string): void {
    this.heard = true;
    const reply = parseReply(text);
    // An unknown id belongs to a request that was abandoned, or that was sent twice and is already answered.
    const entry = reply && this.pending.get(reply.id);
    if (!entry) return;
    if (!reply.error) return entry.resolve(reply.result);
    const { code, class: failureClass, message, details } = reply.error;
    const error = new GymError(code, failureClass, message, details);
    if (error.class !== "capacity" && !transientCodes.has(code)) return entry.reject(error);
    entry.refusal = error;
    this.sendLater(reply.id, entry);
  }

  private sendLater(id: number, entry: Pending): void {
    const again = setTimeout(
      () => {
        this.closing.signal.removeEventListener("abort", cancel);
        // Without a connection, the frame is sent when the next connection opens.
        if (this.pending.get(id) === entry) this.socket?.send(entry.frame);
      },
      backOffMs(this.backOff, entry.attempts++),
    );
    const cancel = () => clearTimeout(again);
    this.closing.signal.addEventListener("abort", cancel, { once: true });
  }

  private beat(): void {
    if (!this.socket) return;
    if (!this.heard) return this.socket.terminate();
    this.heard = false;
    this.socket.ping();
  }

  private rejectAll(error: Error): void {
    for (const entry of [...this.pending.values()]) entry.reject(error);
  }

  private unreachable(received: string): GymError {
    return new GymError("GYM_UNREACHABLE", "infrastructure", `expected a gym at ${this.url}, but received ${received}`);
  }

  /** Makes the error for a refused connection. @param token token that was sent */
  private refusal(status: number, token: string | undefined): GymError {
    if (status >= 500 || status === 429 || status === 408) return this.unreachable(`the status ${status}`);
    // The gym has restarted since the token was read.
    if (status === 401 && token !== this.token) return this.unreachable("a refused token, since the gym has restarted");
    const expected = status === 401 ? "a bearer token of this gym" : "a gym that accepts WebSocket connections";
    const received =
      status === 401
        ? `${token === undefined ? "no token" : "a different token"} (status 401)`
        : `the status ${status}`;
    const message = `expected ${expected} at ${this.url}, but received ${received}`;
    return new GymError("GYM_REFUSED", "action", status === 401 ? `${message}. ${tokenRemedy}` : message, { status });
  }

  private timeoutError(op: string, afterMs: number): GymError {
    const expected = `the reply to ${op} within ${afterMs} ms`;
    return new GymError("GYM_TIMEOUT", "infrastructure", `expected ${expected}, but received none`);
  }
}

function closedError(): GymError {
  return new GymError("GYM_CLOSED", "action", "The client is closed.");
}
