import { GymError } from "../../errors.js";
import type { Connection } from "./connection.js";

/** Replies that are above this multiple of `maxUnsentBytes` together cost the connections with the most of them. */
const excess = 2;

/**
 * Bounds the replies that clients have not read yet, of all connections and sockets together. Each connection has its own
 * limits, but thousands of clients that read nothing could exceed the memory together.
 */
export class UnsentReplies {
  constructor(
    private readonly maxUnsentBytes: number,
    private readonly onError: (error: GymError) => void,
  ) {}

  /** Closes the connections with the most unread bytes while there are too many in all. */
  check(connections: Iterable<Connection>): void {
    const most = excess * this.maxUnsentBytes;
    const found = [...connections].map((connection) => ({ connection, bytes: this.countedBytes(connection) }));
    let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= most) return;
    found.sort((a, b) => b.bytes - a.bytes);
    for (const { connection, bytes } of found) {
      if (total <= most) return;
      const received = `${total}, and a client with ${bytes} unread bytes`;
      this.onError(new GymError("LIMIT_UNSENT", `at most ${most} unsent bytes of replies`, received));
      connection.socket.destroy();
      total -= bytes;
    }
  }

  /**
   * Unread bytes of a connection, with the HTTP reply in transit counted as at most `maxUnsentBytes`. A single reply may be
   * larger than that while nothing else is unsent. It would otherwise be cut off even if its client reads.
   */
  private countedBytes({ unreadBytes, unreadBytesOfReply }: Connection): number {
    return unreadBytes - Math.max(0, unreadBytesOfReply - this.maxUnsentBytes);
  }
}
