import type { Socket } from "node:net";

/**
 * Collects the writes to TCP sockets during one turn of the event loop, so that all messages of the turn are sent in one
 * write.
 */
export class Corks {
  private readonly corked = new Set<Socket>();

  hold(socket: Socket): void {
    if (this.corked.has(socket)) return;
    if (this.corked.size === 0) setImmediate(() => this.release());
    this.corked.add(socket);
    socket.cork();
  }

  private release(): void {
    const sockets = [...this.corked];
    this.corked.clear();
    for (const socket of sockets) socket.uncork();
  }
}
