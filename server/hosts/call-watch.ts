import type { Pulse } from "./pulse.js";
import type { ThreadClock, ThreadTime } from "./thread-clock.js";

const none: ThreadTime = { busyMs: 0, blockedMs: 0 };

/**
 * Measures, on the main thread, how long a host has been in the same call. It also measures how much the memory of the
 * process grows during the call.
 */
export class CallWatch {
  private lastSeen = "";
  private isStuck = false;
  /**
   * Memory in bytes of the process, and of everything except this host, when the running call was seen for the second
   * time.
   */
  private before = { resident: 0, elsewhere: 0 };

  /**
   * @param clock of the thread that runs the calls
   * @param bytesElsewhere memory of the main thread and the other hosts
   */
  constructor(
    private readonly pulse: Pulse,
    private readonly clock: ThreadClock,
    private readonly bytesElsewhere: () => number,
  ) {}

  /**
   * Called every `elapsedMs`. Returns how long the host has been busy or blocked in the same call, or before it started to
   * perform a message. Time is measured by counting calls of this method, so a suspended machine does not look like a step
   * that hangs.
   *
   * @param posted number of messages that were sent to the host
   */
  look(elapsedMs: number, posted: number): ThreadTime {
    const { heartbeat, begun, running, backlogged } = this.pulse;
    const busy = running || (begun !== posted && !backlogged);
    const seen = `${heartbeat} ${begun}`;
    if (!busy || seen !== this.lastSeen) {
      this.lastSeen = seen;
      this.isStuck = false;
      if (busy) this.clock.start();
      return none;
    }
    if (!this.isStuck) this.before = { resident: process.memoryUsage.rss(), elsewhere: this.bytesElsewhere() };
    this.isStuck = true;
    return this.clock.look(elapsedMs);
  }

  /** Whether the same call was running at the last two calls of `look`. */
  get stuck(): boolean {
    return this.isStuck;
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
