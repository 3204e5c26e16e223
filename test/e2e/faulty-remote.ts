/**
 * A server whose failures the test chooses by the action: over HTTP for AgentGym's protocol, and over WebSocket for
 * OpenEnv's.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const schema = {
  action: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  observation: { type: "object" },
};
const observed = { observation: { text: "seen" }, reward: 0.5, done: false };
const large = "x".repeat(11 * 2 ** 20);

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const json = (value: unknown): Respond => text(JSON.stringify(value));
const text =
  (body: string, status = 200, headers = {}): Respond =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

/** Replies to a step of AgentGym's protocol, by action. */
const stepReplies: Readonly<Record<string, Respond>> = {
  fine: json({ observation: "seen", reward: 0.5, done: false }),
  solve: json({ observation: "done", reward: 1, done: true }),
  "status 500": text("a stack trace with sesame", 500),
  "status 422": text('{"detail": []}', 422),
  redirect: text("", 302, { location: "http://127.0.0.1:9/elsewhere" }),
  html: text("<html>"),
  empty: text(""),
  "no JSON number": text('{"observation": "seen", "reward": NaN, "done": false}'),
  "large reward": json({ observation: "seen", reward: 7, done: false }),
  "text reward": json({ observation: "seen", reward: "1", done: false }),
  "null observation": json({ observation: null, reward: 0, done: false }),
  "11 MiB": json({ observation: large, reward: 0, done: false }),
  error: json({ error: "no such id" }),
  hang: () => {},
  "hang up": (_, request) => void request.socket.destroy(),
  "half a reply": (response, request) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"observation"', () => request.socket.destroy());
  },
};
/** Actions that make AgentGym's protocol fail. */
export const faults = Object.keys(stepReplies).filter((name) => name !== "fine" && name !== "solve");

/** Frames in reply to a step of OpenEnv's protocol, by message. `undefined` sends nothing. */
const frames: Readonly<Record<string, unknown>> = {
  fine: { type: "observation", data: observed },
  "no JSON": "<html>",
  "no object": "[1]",
  "text reward": { type: "observation", data: { ...observed, reward: "1" } },
  "no end": { type: "observation", data: { observation: {}, reward: 1 } },
  "other type": { type: "surprise", data: {} },
  "11 MiB": { type: "observation", data: { ...observed, observation: large } },
  "session error": { type: "error", data: { code: "SESSION_ERROR", message: "the session of sesame is gone" } },
  hang: undefined,
};
/** Messages that make OpenEnv's protocol fail. `close` ends the socket, and `twice` sends an extra frame. */
export const frameFaults = [...Object.keys(frames).filter((name) => name !== "fine"), "close", "twice"];

export class FaultyRemote {
  /** Number of steps that the server has received. */
  steps = 0;
  /** Number of environments that were created by AgentGym's protocol. */
  private created = 0;

  private constructor(
    private readonly server: Server,
    private readonly sockets: WebSocketServer,
  ) {
    server.on("request", (request, response) => void this.answer(request, response));
    sockets.on("connection", (socket) => {
      socket.on("message", (data) => {
        const { type, data: given } = JSON.parse(String(data)) as { type: string; data?: { message: string } };
        if (type === "state") return socket.send('{"type": "state", "data": {}}');
        if (type === "reset") return socket.send(JSON.stringify({ type: "observation", data: observed }));
        const message = given?.message ?? "";
        if (message === "close") return socket.close();
        const frame = frames[message === "twice" ? "fine" : message];
        const whole = typeof frame === "string" ? frame : JSON.stringify(frame);
        for (let left = message === "twice" ? 2 : 1; left > 0 && frame !== undefined; left--) socket.send(whole);
      });
    });
  }

  /** @param port default: a free one */
  static async start(port = 0): Promise<FaultyRemote> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return new FaultyRemote(server, new WebSocketServer({ server }));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const path = (request.url ?? "").replace(/\?.*/, "");
    if (path === "/step") this.steps += 1;
    const { action } = (body === "" ? {} : JSON.parse(body)) as { action?: string };
    const fixed: Readonly<Record<string, Respond>> = {
      "/": json("ok"),
      "/health": json({ status: "healthy" }),
      "/schema": json(schema),
      "/metadata": json({ name: "faulty", description: "Fails as asked.", version: "1" }),
      "/create": (to, from) => json({ id: this.created++ })(to, from),
      "/reset": json({ observation: "start", reward: 0, done: false }),
      "/close": json(true),
    };
    const respond = path === "/step" ? stepReplies[action ?? ""] : fixed[path];
    (respond ?? text("{}", 404))(response, request);
  }
}
