import type { Pulse } from "../protocol.js";

/** Sees from the main thread for how long a host has been at the same thing, and what the process takes meanwhile. */
export class CallWatch {
  private lastSeen = "";
  private stuckMs = 0;
  /** Of the process and of all but this host, when the running call was first seen to be still running. */
  private before = { resident: 0, elsewhere: 0 };

  /** @param bytesElsewhere what the main thread and the other hosts hold */
  constructor(
    private readonly pulse: Pulse,
    private readonly bytesElsewhere: () => number,
  ) {}

  /**
   * Called every `elapsedMs`: for how long the host has been seen in the same call, or with a message that it does not
   * take up. Time is counted in these calls, so that a machine that slept is not taken for a step that hung.
   *
   * @param posted messages that the host was sent
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

  /** Whether what ran at the last look runs still. */
  get stuck(): boolean {
    return this.stuckMs > 0;
  }

  /** By how much the process has grown since then, without what others grew by. What others free stays with the process. */
  get grownBytes(): number {
    const elsewhere = Math.max(0, this.bytesElsewhere() - this.before.elsewhere);
    return process.memoryUsage.rss() - this.before.resident - elsewhere;
  }
}
