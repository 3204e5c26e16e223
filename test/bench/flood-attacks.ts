/**
 * Attacks of clients without a token. Run as a program, it performs one attack until it is ended:
 * `node --import tsx test/bench/flood-attacks.ts NAME URL`.
 */
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { pingFrame, rawFrame, textFrame, upgradeHeaders } from "../support/raw-frames.js";

const KiB = 1_024;
const MiB = KiB ** 2;
/** Largest number of connections that are opened at the same time. */
const opening = 200;

export const attacks = {
  /** 100 connections with 5,000 pipelined requests each, from clients that never read the replies. */
  "pipelined requests": (target: Target) =>
    target.each(100, (socket) => {
      socket.pause();
      socket.write(pipelined("/v1/environments", 2_500) + pipelined("/openapi.json", 2_500));
    }),
  /** The same requests, from clients that read all replies and start again. */
  "pipelined requests that are read": (target: Target) =>
    target.each(100, (socket) => repeat(socket, pipelined("/v1/environments", 2_500) + pipelined("/livez", 2_500))),
  "slow readers": (target: Target) =>
    target.each(100, (socket) => {
      socket.write(pipelined("/openapi.json", 100));
      socket.on("data", () => socket.pause());
      setInterval(() => socket.resume(), 250);
    }),
  /** One byte of a header at a time. */
  slowloris: (target: Target) =>
    target.each(1_000, (socket) => {
      socket.write("GET /livez HTTP/1.1\r\nhost: localhost\r\nx: ");
      setInterval(() => socket.write("x"), 1_000);
    }),
  "idle connections": (target: Target) => target.each(10_000, () => {}),
  /** Requests with as many headers as fit. */
  headers: (target: Target) => {
    const head = Array.from({ length: 1_500 }, (_, i) => `h${i}: 1`).join("\r\n");
    return target.each(100, (socket) => repeat(socket, request("/livez", head.slice(0, 15 * KiB)).repeat(50)));
  },
  /** Bodies in chunks of one byte. */
  chunks: (target: Target) => {
    const body = "transfer-encoding: chunked\r\ncontent-type: application/json";
    const head = request("/v1/episodes", body).replace("GET", "POST");
    return target.each(50, (socket) => repeat(socket, `${head}${"1\r\na\r\n".repeat(100_000)}0\r\n\r\n`));
  },
  "half-sent bodies": (target: Target) => {
    const head = request("/v1/episodes", `content-type: application/json\r\ncontent-length: ${4 * MiB}`);
    const half = Buffer.concat([Buffer.from(head.replace("GET", "POST")), Buffer.alloc(4 * MiB - 1, " ")]);
    return target.each(200, (socket) => socket.write(half));
  },
  "half-sent frames": (target: Target) =>
    target.eachSocket(200, (socket) => socket.write(rawFrame(textFrame, Buffer.alloc(4 * MiB - KiB), 1))),
  pings: (target: Target) =>
    target.eachSocket(50, (socket) => repeat(socket, rawFrame(pingFrame, empty).toString("latin1").repeat(10_000))),
  /** Frames that are refused at once. */
  "invalid frames": (target: Target) =>
    target.eachSocket(50, (socket) =>
      repeat(socket, rawFrame(textFrame, Buffer.from("{}")).toString("latin1").repeat(10_000)),
    ),
  "createMany of 4096": async (target: Target) => {
    for (;;) {
      const { results } = await target.post<{ results: { episodeId?: string }[] }>("/v1/createMany", {
        episodes: many("textcraft"),
      });
      const ids = results.flatMap(({ episodeId }) => episodeId ?? []);
      while (ids.length > 0) await Promise.all(ids.splice(0, 64).map((id) => target.delete(`/v1/episodes/${id}`)));
    }
  },
  /** A million idempotency keys in 245 batches, in requests that open no episode. */
  "idempotency keys": async (target: Target) => {
    for (let batch = 0; ; batch++) {
      await target.post(
        "/v1/createMany",
        { episodes: many("none-of-this-name") },
        { "idempotency-key": `key-${batch}` },
      );
    }
  },
} satisfies Record<string, (target: Target) => Promise<void>>;

export type AttackName = keyof typeof attacks;

const empty = Buffer.alloc(0);

/** The server under attack. */
export class Target {
  private readonly port: number;
  private readonly host: string;

  constructor(private readonly url: string) {
    const { hostname, port } = new URL(url);
    this.host = hostname;
    this.port = Number(port);
  }

  /** Opens connections, and opens a new one for each that the server closes. */
  async each(count: number, begin: (socket: Socket) => void): Promise<void> {
    for (let open = 0; open < count; open += opening) {
      await Promise.all(Array.from({ length: Math.min(opening, count - open) }, () => this.open(begin)));
    }
  }

  eachSocket(count: number, begin: (socket: Socket) => void): Promise<void> {
    return this.each(count, (socket) => {
      socket.write(request("/v1/socket", upgrade));
      socket.once("data", () => begin(socket));
    });
  }

  async post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
    const json = { "content-type": "application/json", ...headers };
    return (await fetch(this.url + path, { method: "POST", headers: json, body: JSON.stringify(body) })).json() as T;
  }

  async delete(path: string): Promise<void> {
    await (await fetch(this.url + path, { method: "DELETE" })).arrayBuffer();
  }

  private open(begin: (socket: Socket) => void): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(this.port, this.host, () => {
        begin(socket);
        resolve();
      });
      socket.on("error", () => resolve());
      socket.on("close", () => setTimeout(() => void this.open(begin), 1_000));
    });
  }
}

const upgrade = Object.entries(upgradeHeaders)
  .map(([name, value]) => `${name}: ${value}`)
  .join("\r\n");

function request(path: string, headers = "x: y"): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n`;
}

function pipelined(path: string, count: number): string {
  return request(path).repeat(count);
}

/** Writes as fast as the server reads, and reads all replies. */
function repeat(socket: Socket, text: string): void {
  const bytes = Buffer.from(text, "latin1");
  const write = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.resume();
  socket.on("drain", write);
  write();
}

function many(environment: string): object[] {
  return Array.from({ length: 4_096 }, (_, index) => ({ environment, task: { index } }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, url] = process.argv;
  await attacks[name as AttackName](new Target(url as string));
}
