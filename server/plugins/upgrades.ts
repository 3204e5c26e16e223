import { IncomingMessage } from "node:http";
import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import type { Gym } from "../episodes/gym.js";
import { GymError, shown } from "../errors.js";
import { socketUrl } from "../sockets/v1-socket.js";
import { endWith } from "./client-errors.js";

/**
 * Time limit in milliseconds for a client to confirm the close of a socket. It must be shorter than the time limit for
 * draining.
 */
const closeHandshakeMs = 3_000;

/**
 * Request class for Node's server, which treats a request as an upgrade only on the path of the WebSocket. On other
 * paths the upgrade is ignored (RFC 9110, 7.8), because Java's clients and `curl --http2` offer h2c to every server.
 * With Node's own class, the server would get only the raw connection of such a request.
 */
export class UpgradingRequest extends IncomingMessage {
  declare private asked: boolean | null;

  /** Node sets this property from the headers, and reads it to decide whether the request is an upgrade. */
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
  /** Largest size of a frame, in bytes. */
  maxPayload: number;
  /** Drains the open sockets when the app closes. */
  drain(): Promise<void>;
  onError(error: GymError): void;
}

/**
 * Serves WebSockets. A refused upgrade gets an HTTP error reply, and its connection is closed. Call this function
 * before registering hooks that refuse requests: @fastify/websocket closes a refused connection only if its own hook
 * ran first.
 */
export async function registerUpgrades(app: FastifyInstance, options: UpgradeOptions): Promise<void> {
  const { gym, maxPayload, drain, onError } = options;
  // The options are in a variable, since the types of ws lack `closeTimeout` and would refuse it in a literal.
  const socketOptions = { maxPayload, closeTimeout: closeHandshakeMs };
  await app.register(websocket, {
    options: socketOptions,
    // If ws refused a frame, it is already closing the socket with the matching code.
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
    // A client that asked for a WebSocket has no other use for the connection.
    if (asksForWebSocket(request.raw)) reply.header("connection", "close");
    if (!request.ws) return done();
    // Draining closes only the sockets that were open when it began.
    if (gym.status.draining) done(GymError.ofState("SERVER_DRAINING", "The server is shutting down."));
    else done();
  });
  app.websocketServer.on("wsClientError", (cause, socket, request) => {
    const error = new GymError("REQUEST_INVALID", "a WebSocket handshake", reasonOf(cause, request));
    onError(error);
    endWith(socket, error, ["Sec-WebSocket-Version: 13, 8"]);
  });
}

/** Returns the error message of ws and the header that the server received. */
function reasonOf({ message }: Error, { headers }: IncomingMessage): string {
  const name = /Sec-WebSocket-\w+/.exec(message)?.[0].toLowerCase();
  if (name === undefined) return message;
  const value = headers[name];
  return `${value === undefined ? "no" : shown(value)} ${name} (${message})`;
}
