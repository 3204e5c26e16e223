import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Milliseconds that a closing server waits for a client to send the rest of a request, or to read a reply. */
const clientGraceMs = 5_000;
/** Interval in milliseconds at which a closing server looks for idle connections. */
const lookMs = 50;
/** Number of checks of a connection within `stalledMs`. */
const looksAtReader = 4;

/**
 * The TCP connections of HTTP, with the unanswered requests of each connection. When a server closes, Node closes only
 * idle connections that have had a request. Node treats a connection that has had no request as a late request.
 */
export class Connections {
  /** Responses of each open connection since the connection was last idle, from oldest to newest. */
  private readonly responses = new Map<Socket, ServerResponse[]>();

  /** @param stalledMs milliseconds after which a connection is closed if the client reads no bytes of its replies */
  constructor(private readonly stalledMs: number) {}

  /** Number of bytes of replies that clients have not read yet. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const socket of this.responses.keys()) {
      // Other responses, which the connection does not know of yet, may wait behind the response that is being sent.
      for (const response of this.unanswered(socket)) bytes += response.writableLength;
    }
    return bytes;
  }

  /** Watches an app. When the app closes, idle connections are closed and requests in flight are answered first. */
  register(app: FastifyInstance): void {
    const looking = setInterval(() => this.watchReaders(), this.stalledMs / looksAtReader);
    looking.unref();
    app.addHook("onClose", () => clearInterval(looking));
    app.server.on("connection", (socket) => this.of(socket));
    // The code of the sockets drains WebSockets.
    app.server.on("upgrade", (_request, socket) => this.responses.delete(socket as Socket));
    app.addHook("onRequest", (request, reply, done) => {
      const { socket } = request.raw;
      // An injected request has no connection. Connections to a second address of `localhost` emit no event here.
      if (!request.ws && socket instanceof Socket) this.add(socket, reply.raw);
      done();
    });
    let closed: Promise<void> | undefined;
    app.addHook("preClose", async () => {
      closed = this.close(app);
    });
    app.addHook("onClose", () => closed);
  }

  /** Whether a client would mistake an error that is sent now for the reply to an earlier request. */
  isAnswering(socket: Socket): boolean {
    return this.unanswered(socket).some(({ req, headersSent }) => req.complete || headersSent);
  }

  private of(socket: Socket): ServerResponse[] {
    let responses = this.responses.get(socket);
    if (!responses) {
      responses = [];
      this.responses.set(socket, responses);
      socket.once("close", () => this.responses.delete(socket));
    }
    return responses;
  }

  /** Adds a response. A listener on each response would take more time than all other work of this class. */
  private add(socket: Socket, response: ServerResponse): void {
    const responses = this.of(socket);
    // Responses leave in the order of their requests, so when the newest is done, all are.
    if (responses.at(-1)?.closed) responses.length = 0;
    responses.push(response);
  }

  private unanswered(socket: Socket): ServerResponse[] {
    return (this.responses.get(socket) ?? []).filter(({ closed }) => !closed);
  }

  /**
   * Sets Node's timeout on connections with unsent bytes, and removes the timeout from all other connections. Node closes a
   * connection if the client reads no byte within the timeout. The timeout is not set per reply, since nearly all replies
   * are sent at once.
   */
  private watchReaders(): void {
    for (const socket of this.responses.keys()) {
      const timed = socket.timeout === this.stalledMs;
      if (socket.writableLength > 0) {
        if (!timed) socket.setTimeout(this.stalledMs);
      } else if (timed && this.unanswered(socket).length > 0) socket.setTimeout(0);
    }
  }

  private async close({ server }: FastifyInstance): Promise<void> {
    const lateAt = performance.now() + clientGraceMs;
    for (;;) {
      // While the server listens, a new connection may ask whether the gym is ready, and must get an answer.
      if (!server.listening) this.closeIdle(performance.now() > lateAt);
      if (!server.listening && this.responses.size === 0) return;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  private closeIdle(late: boolean): void {
    for (const socket of this.responses.keys()) {
      const responses = this.unanswered(socket);
      const isAwaited = late ? [...responses].some(isOurTurn) : responses.length > 0;
      if (!isAwaited) socket.destroy();
    }
  }
}

/** Whether the gym has received the whole request and has not sent the whole reply. */
function isOurTurn({ req, writableEnded }: ServerResponse): boolean {
  return req.complete && !writableEnded;
}
