/** A client of `/v1/socket` that returns replies as their original text, for comparison byte by byte. */
import { type ClientOptions, type RawData, WebSocket } from "ws";

export interface ConnectOptions extends ClientOptions {
  token?: string;
}

export interface Closing {
  code: number;
  reason: string;
}

/** An `error` reply. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly failureClass: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

/** The socket closed before the reply came. */
export class ConnectionLost extends Error {}

interface Waiter {
  resolve(text: string): void;
  reject(error: Error): void;
}

const replyHead = /^\{"id":([0-9]+),"(result|error)":/;

export class GymSocket {
  readonly closed: Promise<Closing>;
  private readonly waiting = new Map<number, Waiter>();
  private nextId = 0;

  private constructor(readonly raw: WebSocket) {
    this.closed = new Promise((resolve) => {
      raw.on("close", (code, reason) => {
        for (const waiter of this.waiting.values()) waiter.reject(new ConnectionLost(`closed with ${code}`));
        this.waiting.clear();
        resolve({ code, reason: reason.toString() });
      });
    });
    raw.on("message", (data: RawData) => this.receive(data.toString()));
    raw.on("error", () => {});
  }

  static connect(url: string, { token, ...options }: ConnectOptions = {}): Promise<GymSocket> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const raw = new WebSocket(`${url.replace(/^http/, "ws")}/v1/socket`, {
      perMessageDeflate: false,
      headers,
      ...options,
    });
    return new Promise((resolve, reject) => {
      raw.once("open", () => resolve(new GymSocket(raw)));
      raw.once("error", reject);
    });
  }

  /** Number of requests without a reply. */
  get pending(): number {
    return this.waiting.size;
  }

  /** Returns the text of the result. Rejects with `Refusal` or `ConnectionLost`. */
  requestText(op: string, params: object = {}): Promise<string> {
    if (this.raw.readyState !== WebSocket.OPEN) return Promise.reject(new ConnectionLost("not open"));
    const id = this.nextId++;
    this.raw.send(JSON.stringify({ id, op, params }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async request<T>(op: string, params: object = {}): Promise<T> {
    return JSON.parse(await this.requestText(op, params)) as T;
  }

  terminate(): void {
    this.raw.terminate();
  }

  private receive(frame: string): void {
    const head = replyHead.exec(frame);
    if (!head) return;
    const waiter = this.waiting.get(Number(head[1]));
    this.waiting.delete(Number(head[1]));
    const text = frame.slice(head[0].length, -1);
    if (head[2] === "result") return waiter?.resolve(text);
    const error = JSON.parse(text) as { code: string; class: string; message: string };
    waiter?.reject(new Refusal(error.code, error.class, error.message));
  }
}
