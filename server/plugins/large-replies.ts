import type { FastifyInstance } from "fastify";
import { GymError } from "../errors.js";
import type { Connections } from "./connections.js";

/** Characters from which on a reply is large. */
const large = 2 ** 15;

/**
 * Bounds what replies over HTTP hold in memory until their readers take them: a large one is refused with LIMIT_UNSENT
 * while more than `maxBytes` are unsent. Small ones always go out, so that a few slow readers stop nobody's steps.
 */
export function registerLargeReplies(app: FastifyInstance, connections: Connections, maxBytes: number): void {
  const budget = new UnsentBudget(connections, maxBytes);
  app.addHook("onSend", (_request, _reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < large) return done(null, payload);
    const refusal = budget.take(Buffer.byteLength(payload));
    if (refusal) done(refusal);
    // For text that does not leave at once, Node would keep three bytes a character, and the text itself.
    else done(null, Buffer.from(payload));
  });
}

class UnsentBudget {
  /** At least what is unsent: it only grows, until it says too much and is measured anew. */
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
      const received = `${unsent}, and a reply of ${bytes}`;
      return new GymError("LIMIT_UNSENT", `at most ${this.maxBytes} unsent bytes of replies`, received);
    }
    this.unsentAtMost += bytes;
    return null;
  }
}
