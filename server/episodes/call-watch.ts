import type { Pulse } from "./host-protocol.js";

/** Sees from the main thread how long the running call of a host's environment takes, and what the process takes meanwhile. */
export class CallWatch {
  private lastBeat = 0;
  private stuckMs = 0;
  /** Of the whole process, when the running call was first seen to be still running. */
  private residentBytes = 0;

  constructor(private readonly pulse: Pulse) {}

  /**
   * Called every `elapsedMs`: how long the same call has been seen running. Time is counted in these calls, so that a
   * machine that slept is not taken for a step that hung.
   */
  look(elapsedMs: number): number {
    const { beat, running } = this.pulse;
    if (!running || beat !== this.lastBeat) {
      this.lastBeat = beat;
      this.stuckMs = 0;
      return 0;
    }
    if (this.stuckMs === 0) this.residentBytes = process.memoryUsage.rss();
    this.stuckMs += elapsedMs;
    return this.stuckMs;
  }

  /** Whether a call that ran at the last look runs still. */
  get stuck(): boolean {
    return this.stuckMs > 0;
  }

  /** By how much the process has grown since the stuck call was first seen running. */
  get grownBytes(): number {
    return process.memoryUsage.rss() - this.residentBytes;
  }
}
