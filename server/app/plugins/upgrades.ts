import { EventEmitter } from "node:events";
import { IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import type { Gym } from "../../episodes/gym.js";
import { GymError, shown } from "../../errors.js";
import { endWith } from "./client-errors.js";
import { type Connections, takesPieces } from "./connections.js";

/** Number of reads that one frame may arrive in, and of fragments that one message may have. Each costs memory. */
const mostChunks = 2 ** 16;
const mostFragments = 2 ** 12;

/**
 * Request class for Node's server, which treats a request as an upgrade only on the path of a WebSocket. On other
 * paths the upgrade is ignored (RFC 9110, 7.8), because Java's clients and `curl --http2` offer h2c to every server.
 * With Node's own class, the server would get only the raw connection of such a request. Node 20 has no option for this;
 * Node 22.21 has `shouldUpgradeCallback`.
 *
 * A request for which its connection must be read in pieces also counts as an upgrade, since Node's parser then stops
 * behind the head of the request. Otherwise the parser starts all requests of a read at once.
 */
export class UpgradingRequest extends IncomingMessage {
  declare private asked: boolean | null;
  declare private cut: boolean | undefined;

  /** Whether the connection must be read in pieces from this request on. */
  get isCut(): boolean {
    this.cut ??= takesPieces(this);
    return this.cut;
  }

  /** Node sets this property from the headers, and reads it to decide whether the request is an upgrade. */
  get upgrade(): boolean {
    return this.isCut || (this.asked === true && opensSocket(this));
  }

  set upgrade(asked: boolean | null) {
    this.asked = asked;
  }
}

/** Paths of the WebSockets, with or without a token. */
const socketPath = /^(\/t\/[^/]+)?(\/v1\/socket|\/openenv\/[^/]+\/ws|\/fleet\/socket)(\?|$)/;

function opensSocket(request: IncomingMessage): boolean {
  return request.method === "GET" && asksForWebSocket(request) && socketPath.test(request.url ?? "");
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

export interface UpgradeOptions {
  gym: Gym;
  connections: Connections;
  /** Largest size of a frame, in bytes. */
  maxPayload: number;
  /** See `ClientTimes`. It must be shorter than the time limit for draining. */
  closeMs: number;
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
  const { gym, connections, maxPayload, closeMs, drain, onError } = options;
  const upgrades = new EventEmitter() as Server;
  app.server.on("upgrade", (request: UpgradingRequest, socket: Socket, rest: Buffer) => {
    if (request.isCut) return connections.continueWith(request, rest, app.server);
    connections.leaveHttp(socket);
    upgrades.emit("upgrade", request, socket, rest);
  });
  // The options are in a variable, since the types of ws lack `closeTimeout` and would refuse it in a literal.
  const socketOptions = {
    server: upgrades,
    maxPayload,
    maxBufferedChunks: mostChunks,
    maxFragments: mostFragments,
    // The code of the sockets answers pings.
    autoPong: false,
    closeTimeout: closeMs,
  };
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
