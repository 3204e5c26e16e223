import type { Pulse } from "./pulse.js";

/**
 * Measures, on the main thread, how long a host has been in the same call. It also measures how much the memory of the
 * process grows during the call.
 */
export class CallWatch {
  private lastSeen = "";
  private stuckMs = 0;
  /**
   * Memory in bytes of the process, and of everything except this host, when the running call was seen for the second
   * time.
   */
  private before = { resident: 0, elsewhere: 0 };

  /** @param bytesElsewhere memory of the main thread and the other hosts */
  constructor(
    private readonly pulse: Pulse,
    private readonly bytesElsewhere: () => number,
  ) {}

  /**
   * Called every `elapsedMs`. Returns the milliseconds for which the host has been in the same call, or has not started
   * to perform a message. Time is measured by counting calls of this method, so a suspended machine does not look like
   * a step that hangs.
   *
   * @param posted number of messages that were sent to the host
   */
  look(elapsedMs: number, posted: number): number {
    const { beat, begun, running, backlogged } = this.pulse;
    const busy = running || (begun !== posted && !backlogged);
    const seen = `${beat} ${begun}`;
    if (!busy || seen !== this.lastSeen) {
      this.lastSeen = seen;
      this.stuckMs = 0;
      return 0;
    }
    if (this.stuckMs === 0) this.before = { resident: process.memoryUsage.rss(), elsewhere: this.bytesElsewhere() };
    this.stuckMs += elapsedMs;
    return this.stuckMs;
  }

  /** Whether the same call was running at the last two calls of `look`. */
  get stuck(): boolean {
    return this.stuckMs > 0;
  }

  /**
   * Growth of the process in bytes since `before` was measured, minus the growth of other hosts and the main thread.
   * Memory that the other hosts and the main thread free is ignored.
   */
  get grownBytes(): number {
    const elsewhere = Math.max(0, this.bytesElsewhere() - this.before.elsewhere);
    return process.memoryUsage.rss() - this.before.resident - elsewhere;
  }
}
