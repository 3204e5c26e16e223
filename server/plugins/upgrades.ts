import { IncomingMessage } from "node:http";
import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import type { Gym } from "../episodes/gym.js";
import { GymError, shown } from "../errors.js";
import { socketUrl } from "../sockets/v1-socket.js";
import { endWith } from "./client-errors.js";

/** How long a closed socket's other side may take to agree before it is cut off: less than the time for draining. */
const closeHandshakeMs = 3_000;

/**
 * For Node's server: a request that is an upgrade only where a WebSocket is served. Any other one that asks for an
 * upgrade, as Java's clients and `curl --http2` ask every server for h2c, is answered as if it had not (RFC 9110, 7.8).
 * Node by itself hands over the bare connection of each of them as soon as anything listens for upgrades.
 */
export class UpgradingRequest extends IncomingMessage {
  declare private asked: boolean | null;

  /** Set by Node from the headers, and read to tell whether it is one. */
  get upgrade(): boolean {
    return this.asked === true && opensSocket(this);
  }

  set upgrade(asked: boolean | null) {
    this.asked = asked;
  }
}

const socketPath = new RegExp(`^(/t/[^/]+)?${socketUrl}(\\?|$)`);

function opensSocket(request: IncomingMessage): boolean {
  return request.method === "GET" && asksForWebSocket(request) && socketPath.test(request.url ?? "");
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

export interface UpgradeOptions {
  gym: Gym;
  /** Bytes of a frame. */
  maxPayload: number;
  /** Lets the sockets that are open finish when the app closes. */
  drain(): Promise<void>;
  onError(error: GymError): void;
}

/**
 * Serves WebSockets. What is refused, by whichever hook, is answered like any request, and its connection closed. To be
 * registered before any hook that refuses, since @fastify/websocket closes what its own hook has seen before.
 */
export async function registerUpgrades(app: FastifyInstance, options: UpgradeOptions): Promise<void> {
  const { gym, maxPayload, drain, onError } = options;
  // Not written in place, since the types of ws do not know its `closeTimeout` yet.
  const socketOptions = { maxPayload, closeTimeout: closeHandshakeMs };
  await app.register(websocket, {
    options: socketOptions,
    // What ws finds wrong with a frame it is closing already, with the code that says so.
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, "socket error");
      if (socket.readyState === socket.OPEN) socket.terminate();
    },
    preClose: async () => {
      gym.drain();
      await drain();
    },
  });
  app.addHook("onRequest", (request, reply, done) => {
    // Who asked for a WebSocket has no use for the connection without one.
    if (asksForWebSocket(request.raw)) reply.header("connection", "close");
    if (!request.ws) return done();
    // Nobody would close it: those that were open when the draining began are being closed.
    if (gym.status.draining) done(new GymError("SERVER_DRAINING", "a server that stays", "one that is shutting down"));
    else done();
  });
  app.websocketServer.on("wsClientError", (cause, socket, request) => {
    const error = new GymError("REQUEST_INVALID", "a WebSocket handshake", reasonOf(cause, request));
    onError(error);
    endWith(socket, error, ["Sec-WebSocket-Version: 13, 8"]);
  });
}

/** What ws says is wrong, with what came in its place. */
function reasonOf({ message }: Error, { headers }: IncomingMessage): string {
  const name = /Sec-WebSocket-\w+/.exec(message)?.[0].toLowerCase();
  if (name === undefined) return message;
  const value = headers[name];
  return `${value === undefined ? "no" : shown(value)} ${name} (${message})`;
}
