import type { FastifyInstance } from "fastify";
import { GymError } from "../../errors.js";
import type { Connections } from "./connections.js";

/** Smallest number of characters of a large reply. */
const large = 2 ** 15;

/**
 * Limits the memory of HTTP replies that clients have not read yet. A large reply is refused with LIMIT_UNSENT while
 * more than `maxBytes` are unsent. Small replies are always sent, so that a few slow readers do not block the steps of
 * other clients.
 */
export function registerLargeReplies(app: FastifyInstance, connections: Connections, maxBytes: number): void {
  const budget = new UnsentBudget(connections, maxBytes);
  app.addHook("onSend", (_request, _reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < large) return done(null, payload);
    const refusal = budget.take(Buffer.byteLength(payload));
    if (refusal) done(refusal);
    // Node would keep the text and up to three bytes per character while the text waits to be sent.
    else done(null, Buffer.from(payload));
  });
}

class UnsentBudget {
  /**
   * Upper bound of the unsent bytes. Each reply increases the bound. When the bound exceeds the limit, the unsent bytes
   * are measured again.
   */
  private unsentAtMost = 0;

  constructor(
    private readonly connections: Connections,
    private readonly maxBytes: number,
  ) {}

  take(bytes: number): GymError | null {
    if (this.unsentAtMost + bytes > this.maxBytes) this.unsentAtMost = this.connections.unsentBytes;
    const unsent = this.unsentAtMost;
    // A single reply may be larger than the budget.
    if (unsent > 0 && unsent + bytes > this.maxBytes) {
      const received = `${unsent}, and a further reply of ${bytes} bytes`;
      return new GymError("LIMIT_UNSENT", `at most ${this.maxBytes} unsent bytes of replies`, received);
    }
    this.unsentAtMost += bytes;
    return null;
  }
}
