import { GymError } from "../../errors.js";
import { endWith } from "./client-errors.js";
import type { Connection } from "./connection.js";

export interface PartialLimits {
  /** Milliseconds after which a connection is closed if the client sends no byte of a body or frame that it has begun. */
  stalledMs: number;
  /** Largest number of bytes of all incomplete bodies and frames. */
  maxPartialBytes: number;
  onError(error: GymError): void;
}

/** Codes of the WebSocket protocol. */
const policyViolation = 1008;
const tryAgainLater = 1013;

/** Limit of the WebSocket protocol on the bytes of the reason for a close. */
const longestReason = 123;

/** An incomplete body or frame. */
interface Partial {
  bytes: number;
  /** Times from `performance.now()`: when the message was first seen, and when its newest byte was. */
  since: number;
  progressAt: number;
  bytesRead: number;
}

/**
 * Request bodies and WebSocket frames that have arrived in part. The gym must keep the parts in memory. Clients that stop
 * sending are disconnected. While there are too many bytes, the connection with the oldest incomplete message is closed.
 * Node's `requestTimeout` limits only the time of an HTTP request, and no bytes of all clients together.
 */
export class PartialMessages {
  private readonly known = new WeakMap<Connection, Partial>();

  constructor(private readonly limits: PartialLimits) {}

  /** Measures all connections, and closes those that exceed a limit. */
  check(connections: Iterable<Connection>, now: number): void {
    const { stalledMs, maxPartialBytes } = this.limits;
    const found: [Connection, Partial][] = [];
    let total = 0;
    for (const connection of connections) {
      const partial = this.measure(connection, now);
      if (!partial) continue;
      if (now - partial.progressAt >= stalledMs) {
        this.refuse(connection, stalled(stalledMs), policyViolation);
        continue;
      }
      found.push([connection, partial]);
      total += partial.bytes;
    }
    if (total <= maxPartialBytes) return;
    found.sort(([, a], [, b]) => a.since - b.since || b.bytes - a.bytes);
    for (const [connection, { bytes }] of found) {
      if (total <= maxPartialBytes) return;
      this.refuse(connection, tooMany(maxPartialBytes), tryAgainLater);
      total -= bytes;
    }
  }

  private measure(connection: Connection, now: number): Partial | undefined {
    const { partialBytes: bytes, socket, waits } = connection;
    // The connection is already closing.
    if (bytes === 0 || socket.writableEnded || socket.destroyed) {
      this.known.delete(connection);
      return undefined;
    }
    const { bytesRead } = socket;
    const previous = this.known.get(connection);
    const progressed = previous === undefined || previous.bytesRead !== bytesRead || waits;
    const partial = {
      bytes,
      since: previous?.since ?? now,
      progressAt: progressed ? now : previous.progressAt,
      bytesRead,
    };
    this.known.set(connection, partial);
    return partial;
  }

  private refuse(connection: Connection, error: GymError, code: number): void {
    const { socket, frames, isAnswering } = connection;
    this.limits.onError(error);
    if (frames) return frames.close(code, error.message.slice(0, longestReason));
    if (isAnswering) return void socket.destroy();
    endWith(socket, error);
    // The connection lives on until the client has read the error.
    connection.discardBody();
  }
}

function stalled(ms: number): GymError {
  return new GymError("REQUEST_TIMEOUT", `a further byte of the request within ${ms} ms`, "none");
}

function tooMany(bytes: number): GymError {
  return new GymError("LIMIT_PARTIAL", `at most ${bytes} bytes of incomplete requests of all clients`, "more bytes");
}
