/**
 * Limits on the connections, requests and DNS look-ups of one sandbox and of all sandboxes together. If a name server or a host
 * hangs, further requests are refused with status 503 instead of piling up.
 */
import type { Socket } from "node:net";
import { Turns } from "../turns.js";
import { type Lookup, NoWay } from "./resolve.js";

/** Limits of one sandbox. Chromium opens up to 32 connections to a proxy, and the relay of a container up to 64. */
const most = { connections: 128, requests: 64, waitingRequests: 64, lookups: 4, waitingLookups: 64 };
/**
 * Limits of all sandboxes of this process together. The limit on look-ups is low, since they share Node's thread pool with
 * file access.
 */
const mostInAll = { connections: 4_096, requests: 2_048, waitingRequests: 2_048, lookups: 16, waitingLookups: 512 };

const mostWaitingMs = 10_000;
const mostLookupWaitingMs = 4_000;

const inAll = {
  connections: 0,
  requests: new Turns({ most: mostInAll.requests, mostWaiting: mostInAll.waitingRequests }),
  lookups: new Turns({ most: mostInAll.lookups, mostWaiting: mostInAll.waitingLookups }),
};

export class EgressBounds {
  private connections = 0;
  private readonly requests = new Turns({ most: most.requests, mostWaiting: most.waitingRequests });
  private readonly lookups = new Turns({ most: most.lookups, mostWaiting: most.waitingLookups });

  /** Counts a client's connection until the connection ends. @throws {NoWay} 503 if too many connections are open */
  admit(socket: Socket): void {
    if (this.connections >= most.connections) throw busy(`${most.connections} connections`);
    if (inAll.connections >= mostInAll.connections) throw busy(`${mostInAll.connections} connections in all`);
    this.connections += 1;
    inAll.connections += 1;
    socket.once("close", () => {
      this.connections -= 1;
      inAll.connections -= 1;
    });
  }

  /** Runs an HTTP request when its turn comes. @throws {NoWay} 503 if the turn does not come in time */
  request(run: () => Promise<void>): Promise<void> {
    const bounds = { waitMs: mostWaitingMs, full: () => busy(`${most.requests} requests at once`) };
    return this.requests.run(() => inAll.requests.run(run, bounds), bounds);
  }

  /**
   * Wraps a look-up so that it waits for its turn. A look-up keeps its turn until it ends, even if its caller stops
   * waiting.
   */
  bounded(lookup: Lookup): Lookup {
    const bounds = { waitMs: mostLookupWaitingMs, full: () => busy(`${most.lookups} look-ups of names at once`) };
    return (name) => this.lookups.run(() => inAll.lookups.run(() => lookup(name), bounds), bounds);
  }
}

function busy(what: string): NoWay {
  return new NoWay(503, `the session has ${what}; more are refused`);
}
