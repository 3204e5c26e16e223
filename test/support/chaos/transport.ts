/** Ways to send operations to the gyms of a fleet. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

import { ConnectionLost, GymSocket, Refusal } from "../gym-socket.js";
import type { Balancer } from "./balancer.js";

export interface Transport {
  /** Sends an operation once and returns the text of its result. @throws {Refusal} @throws {ConnectionLost} no reply came */
  send(operation: string, params: object): Promise<string>;
  close(): void;
}

/** Milliseconds after which a client gives up a request and tries another gym. */
const giveUpMs = 5_000;

/** Milliseconds within which a fleet must complete an operation, despite all faults. */
const mostMs = 300_000;

/** Codes of errors after which a client repeats the request. */
const passingCodes: ReadonlySet<string> = new Set(["EPISODE_ELSEWHERE", "LOG_FAILED", "SERVER_DRAINING"]);

export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof Refusal && passingCodes.has(error.code));
}

/** Repeats a request until the reply is a result or a permanent error. */
export async function untilAnswered<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const givenUpAt = performance.now() + mostMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (performance.now() > givenUpAt) throw new Error(`no gym answered within ${mostMs} ms, at last: ${error}`);
    }
    await sleep(50);
  }
}

const agent = new Agent({ headersTimeout: giveUpMs, bodyTimeout: giveUpMs, connect: { timeout: giveUpMs } });

/** Sends each request to a random gym over HTTP. */
export class HttpTransport implements Transport {
  constructor(private readonly balancer: Balancer) {}

  async send(operation: string, params: object): Promise<string> {
    const { episodeId, idempotencyKey, ...body } = params as { episodeId?: string; idempotencyKey?: string };
    const episode = `/episodes/${episodeId}`;
    const path = { create: "/episodes", step: `${episode}/step`, stepMany: "/stepMany", get: episode }[operation];
    const isRead = operation === "get" || operation === "transcript";
    return exchange(`${this.balancer.choose()}/v1${path ?? `${episode}/transcript?limit=1000`}`, {
      method: isRead ? "GET" : "POST",
      headers: {
        ...(!isRead && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(!isRead && { body: JSON.stringify(body) }),
    });
  }

  close(): void {}
}

interface HttpRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}

/** Sends an HTTP request and returns the text of the reply. @throws {Refusal} @throws {ConnectionLost} */
async function exchange(url: string, options: HttpRequest): Promise<string> {
  let reply: { statusCode: number; text: string };
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent, ...options });
    reply = { statusCode, text: await body.text() };
  } catch (error) {
    throw new ConnectionLost(String(error));
  }
  if (reply.statusCode === 200) return reply.text;
  const { error } = JSON.parse(reply.text) as { error: { code: string; class: string; message: string } };
  throw new Refusal(error.code, error.class, error.message);
}

/** Sends all requests over one socket, and connects to another gym after a broken connection. */
export class SocketTransport implements Transport {
  private socket: Promise<GymSocket> | null = null;

  constructor(private readonly balancer: Balancer) {}

  async send(operation: string, params: object): Promise<string> {
    this.socket ??= this.connect();
    const connecting = this.socket;
    const socket = await connecting.catch(() => {
      if (this.socket === connecting) this.socket = null;
      throw new ConnectionLost("not connected");
    });
    const timer = setTimeout(() => socket.terminate(), giveUpMs);
    const all = operation === "transcript" ? { ...params, limit: 1_000 } : params;
    return socket.requestText(operation, all).finally(() => clearTimeout(timer));
  }

  close(): void {
    this.socket?.then(
      (socket) => socket.terminate(),
      () => {},
    );
  }

  private async connect(): Promise<GymSocket> {
    const socket = await GymSocket.connect(this.balancer.choose(), { handshakeTimeout: giveUpMs });
    const { socket: connecting } = this;
    void socket.closed.then(() => {
      if (this.socket === connecting) this.socket = null;
    });
    return socket;
  }
}
