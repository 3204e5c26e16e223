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
  // The text of a reply that will be refused would be garbage of several times its size.
  app.addHook("preSerialization", (_request, _reply, payload, done) => {
    const refusal = budget.isTight ? budget.refusal(charactersUpTo(maxBytes + 1, payload)) : null;
    if (refusal) done(refusal);
    else done(null, payload);
  });
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

  /** Whether a large reply may have no room, without a measurement. */
  get isTight(): boolean {
    return this.unsentAtMost * 2 > this.maxBytes;
  }

  take(bytes: number): GymError | null {
    const refusal = this.refusal(bytes);
    if (!refusal) this.unsentAtMost += bytes;
    return refusal;
  }

  /** Returns the refusal of a reply, or null if it has room or is small. */
  refusal(bytes: number): GymError | null {
    if (bytes < large) return null;
    if (this.unsentAtMost + bytes > this.maxBytes) this.unsentAtMost = this.connections.unsentBytes;
    const unsent = this.unsentAtMost;
    // A single reply may be larger than the budget.
    if (unsent > 0 && unsent + bytes > this.maxBytes) {
      const received = `${unsent}, and a further reply of ${bytes} bytes`;
      return new GymError("LIMIT_UNSENT", `at most ${this.maxBytes} unsent bytes of replies`, received);
    }
    return null;
  }
}

/** Returns the number of characters in the texts of a JSON value. The count ends when it reaches `most`. */
function charactersUpTo(most: number, value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  for (const part of Object.values(value)) {
    if (count >= most) break;
    count += charactersUpTo(most - count, part);
  }
  return count;
}
