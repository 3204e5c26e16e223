import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long a closing server waits for what only the client can finish: a request half sent, a reply not read. */
const clientGraceMs = 5_000;
/** How often a closing server looks for connections that have become idle. */
const lookMs = 50;

/**
 * The TCP connections of HTTP, and what each was asked and has not been answered. Node by itself can close those that
 * have had a request and wait for another; it takes one that never had any for a request that is late.
 */
export class Connections {
  private readonly unanswered = new Map<Socket, Set<ServerResponse>>();

  /** Watches an app. When it closes, what is idle is cut off and requests in flight are answered first. */
  register(app: FastifyInstance): void {
    app.server.on("connection", (socket) => this.of(socket));
    // A WebSocket is drained by who has opened it.
    app.server.on("upgrade", (_request, socket) => this.unanswered.delete(socket as Socket));
    app.addHook("onRequest", (request, reply, done) => {
      // An injected request has no connection. Of a further address of `localhost` the first request shows it.
      if (!request.ws && request.raw.socket instanceof Socket) this.add(request.raw.socket, reply.raw);
      done();
    });
    let closed: Promise<void> | undefined;
    app.addHook("preClose", async () => {
      closed = this.close(app);
    });
    app.addHook("onClose", () => closed);
  }

  /** Whether an error that is sent now would be taken for the reply to an earlier request. */
  isAnswering(socket: Socket): boolean {
    return [...(this.unanswered.get(socket) ?? [])].some(({ req, headersSent }) => req.complete || headersSent);
  }

  private of(socket: Socket): Set<ServerResponse> {
    let responses = this.unanswered.get(socket);
    if (!responses) {
      responses = new Set();
      this.unanswered.set(socket, responses);
      socket.once("close", () => this.unanswered.delete(socket));
    }
    return responses;
  }

  private add(socket: Socket, response: ServerResponse): void {
    const responses = this.of(socket);
    responses.add(response);
    response.once("close", () => responses.delete(response));
  }

  private async close({ server }: FastifyInstance): Promise<void> {
    const lateAt = performance.now() + clientGraceMs;
    for (;;) {
      // Until then a connection may be about to ask whether the server is ready, and is to be told that it is not.
      if (!server.listening) this.cutOff(performance.now() > lateAt);
      if (!server.listening && this.unanswered.size === 0) return;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  private cutOff(late: boolean): void {
    for (const [socket, responses] of this.unanswered) {
      const waitedFor = late ? [...responses].some(isOurTurn) : responses.size > 0;
      if (!waitedFor) socket.destroy();
    }
  }
}

/** Whether the next move is the gym's: the request is there and the reply is not. */
function isOurTurn({ req, writableEnded }: ServerResponse): boolean {
  return req.complete && !writableEnded;
}
