import type { Connection } from "./connection.js";

/**
 * Connections without unanswered requests, from longest to shortest idle. Each request removes and adds its connection. A Set
 * would allocate a new table every few dozen requests, and its old tables keep garbage alive, so the connections are linked.
 */
export class IdleConnections {
  longest: Connection | null = null;
  private newest: Connection | null = null;

  /** Adds a connection that has just become idle. */
  add(connection: Connection): void {
    if (this.has(connection)) return;
    connection.idleBefore = this.newest;
    if (this.newest) this.newest.idleAfter = connection;
    else this.longest = connection;
    this.newest = connection;
  }

  /** Returns whether the connection was idle. */
  delete(connection: Connection): boolean {
    if (!this.has(connection)) return false;
    const { idleBefore, idleAfter } = connection;
    if (idleBefore) idleBefore.idleAfter = idleAfter;
    else this.longest = idleAfter;
    if (idleAfter) idleAfter.idleBefore = idleBefore;
    else this.newest = idleBefore;
    connection.idleBefore = null;
    connection.idleAfter = null;
    return true;
  }

  private has(connection: Connection): boolean {
    return connection.idleBefore !== null || this.longest === connection;
  }
}
