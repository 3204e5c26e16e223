import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long a closing server waits for what only the client can finish: a request half sent, a reply not read. */
const clientGraceMs = 5_000;
/** How often a closing server looks for connections that have become idle. */
const lookMs = 50;
/** How many times a reader is looked at in the time after which one that takes nothing is cut off. */
const looksAtReader = 4;

/**
 * The TCP connections of HTTP, and what each was asked and has not been answered. Node by itself can close those that
 * have had a request and wait for another; it takes one that never had any for a request that is late.
 */
export class Connections {
  /** The responses of each open connection since it was last idle, oldest first. */
  private readonly responses = new Map<Socket, ServerResponse[]>();

  /** @param stalledMs how long a reader may take nothing of what waits for it before it is cut off */
  constructor(private readonly stalledMs: number) {}

  /** Bytes of replies that wait for their readers. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const socket of this.responses.keys()) {
      // Behind the one that is being sent, others may wait that the connection does not know of yet.
      for (const response of this.unanswered(socket)) bytes += response.writableLength;
    }
    return bytes;
  }

  /** Watches an app. When it closes, what is idle is cut off and requests in flight are answered first. */
  register(app: FastifyInstance): void {
    const looking = setInterval(() => this.watchReaders(), this.stalledMs / looksAtReader);
    looking.unref();
    app.addHook("onClose", () => clearInterval(looking));
    app.server.on("connection", (socket) => this.of(socket));
    // A WebSocket is drained by who has opened it.
    app.server.on("upgrade", (_request, socket) => this.responses.delete(socket as Socket));
    app.addHook("onRequest", (request, reply, done) => {
      const { socket } = request.raw;
      // An injected request has no connection. Of a further address of `localhost` the first request shows it.
      if (!request.ws && socket instanceof Socket) this.add(socket, reply.raw);
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

  /** Without a listener to each response: that would cost more than all else here. */
  private add(socket: Socket, response: ServerResponse): void {
    const responses = this.of(socket);
    // Responses leave in the order of their requests: when the newest is done, all are.
    if (responses.at(-1)?.closed) responses.length = 0;
    responses.push(response);
  }

  private unanswered(socket: Socket): ServerResponse[] {
    return (this.responses.get(socket) ?? []).filter(({ closed }) => !closed);
  }

  /**
   * Has Node's timer of a connection run while something is unsent, and no longer. It goes off only where not a single
   * byte was taken meanwhile, and Node then cuts the connection off. Not set with each reply: nearly all leave at once.
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
      // Until then a connection may be about to ask whether the server is ready, and is to be told that it is not.
      if (!server.listening) this.cutOff(performance.now() > lateAt);
      if (!server.listening && this.responses.size === 0) return;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  private cutOff(late: boolean): void {
    for (const socket of this.responses.keys()) {
      const responses = this.unanswered(socket);
      const waitedFor = late ? [...responses].some(isOurTurn) : responses.length > 0;
      if (!waitedFor) socket.destroy();
    }
  }
}

/** Whether the next move is the gym's: the request is there and the reply is not. */
function isOurTurn({ req, writableEnded }: ServerResponse): boolean {
  return req.complete && !writableEnded;
}
