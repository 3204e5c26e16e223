/** Closed-loop load: each connection has one request in flight at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { WebSocket } from "ws";

export interface Load {
  /** Units of work: requests, or steps if a request carries many. */
  count: number;
  /** Units of work per second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
}

/** One connection: `next` returns the message to send, `received` takes the reply. */
export interface Loop {
  next(): string;
  received(reply: string): void;
}

export interface HttpLoop extends Loop {
  path(): string;
  /** Headers besides the content type. */
  headers?(): Record<string, string>;
}

/** @param unitsPerRequest units of work in one request */
export async function httpLoad(origin: string, loops: readonly HttpLoop[], seconds: number): Promise<Load> {
  const meter = new Meter(seconds);
  await Promise.all(
    loops.map(async (loop) => {
      const client = new Client(origin, { pipelining: 1 });
      while (meter.running) {
        const startedAt = performance.now();
        loop.received(await post(client, loop.path(), loop.next(), loop.headers?.()));
        meter.count(performance.now() - startedAt);
      }
      await client.close();
    }),
  );
  return meter.result(1);
}

/**
 * Sends requests at fixed times, however long the replies take. A latency counts from the time at which its request was due.
 *
 * @param perSecond requests per second of all connections together
 */
export async function pacedHttpLoad(
  origin: string,
  loops: readonly HttpLoop[],
  seconds: number,
  perSecond: number,
): Promise<Load> {
  const meter = new Meter(seconds);
  const startedAt = performance.now();
  const intervalMs = (loops.length / perSecond) * 1_000;
  await Promise.all(
    loops.map(async (loop, i) => {
      const client = new Client(origin, { pipelining: 1 });
      let dueAt = startedAt + (i / loops.length) * intervalMs;
      for (; meter.running; dueAt += intervalMs) {
        const waitMs = dueAt - performance.now();
        if (waitMs > 0) await sleep(waitMs);
        // A timer may be early by a part of a millisecond.
        const countedFrom = Math.min(dueAt, performance.now());
        loop.received(await post(client, loop.path(), loop.next(), loop.headers?.()));
        meter.count(performance.now() - countedFrom);
      }
      await client.close();
    }),
  );
  return meter.result(1);
}

export async function socketLoad(
  url: string,
  loops: readonly Loop[],
  seconds: number,
  unitsPerRequest = 1,
): Promise<Load> {
  const sockets = await Promise.all(loops.map(() => connect(url)));
  const meter = new Meter(seconds);
  await Promise.all(
    loops.map(
      (loop, i) =>
        new Promise<void>((resolve, reject) => {
          const socket = sockets[i] as WebSocket;
          let startedAt = 0;
          const send = () => {
            startedAt = performance.now();
            socket.send(loop.next());
          };
          socket.on("error", reject);
          socket.on("close", () => resolve());
          socket.on("message", (data: Buffer) => {
            meter.count(performance.now() - startedAt);
            loop.received(data.toString());
            if (meter.running) send();
            else socket.close();
          });
          send();
        }),
    ),
  );
  return meter.result(unitsPerRequest);
}

class Meter {
  private readonly startedAt = performance.now();
  private readonly endsAt: number;
  private readonly latencies: number[] = [];
  private lastAt = 0;

  constructor(seconds: number) {
    this.endsAt = this.startedAt + seconds * 1_000;
  }

  get running(): boolean {
    return performance.now() < this.endsAt;
  }

  count(latencyMs: number): void {
    this.latencies.push(latencyMs);
    this.lastAt = performance.now();
  }

  result(unitsPerRequest: number): Load {
    const sorted = Float64Array.from(this.latencies).sort();
    const at = (quantile: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0;
    const elapsedSeconds = (this.lastAt - this.startedAt) / 1_000;
    const count = sorted.length * unitsPerRequest;
    return { count, rate: count / elapsedSeconds, p50Ms: at(0.5), p99Ms: at(0.99) };
  }
}

/** The dispatch interface costs the client least, so that the figure depends on the server. */
function post(client: Client, path: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let status = 0;
    client.dispatch(
      { method: "POST", path, body, headers: { "content-type": "application/json", ...headers } },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          text += chunk.toString();
        },
        onResponseEnd() {
          if (status === 200) resolve(text);
          else reject(new Error(`expected status 200 from ${path}, but received ${status}: ${text}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

function connect(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}
