/** Milliseconds by which the wall clock may be ahead of the expected time, as after a correction. */
const toleranceMs = 3_600_000;

/** Milliseconds for which a larger jump ahead must last before it counts. */
const settlingMs = 86_400_000;

export interface Clocks {
  /** Time in milliseconds since 1970, which may jump. */
  wall(): number;
  /** Time in milliseconds since any moment, which never jumps. */
  monotonic(): number;
}

const systemClocks: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Time by which old episodes are removed. A wall clock that jumps ahead for a moment must not make every episode seem
 * old. A jump ahead therefore counts only after a day. A jump back counts at once, since it removes nothing.
 *
 * At a start, the time of the newest episode is the expected time. After a long pause, the gym therefore removes old
 * episodes only after it has run for a day.
 */
export class RetentionClock {
  /** Trusted time minus monotonic time. */
  private offset: number;
  /** Monotonic time since which the wall clock is ahead, or null if it is not. */
  private aheadSince: number | null = null;

  /** @param newestMs creation time of the newest episode in the log, or null if the log has no episode */
  constructor(
    newestMs: number | null,
    private readonly clocks: Clocks = systemClocks,
  ) {
    this.offset = Math.min(clocks.wall(), newestMs ?? Number.POSITIVE_INFINITY) - clocks.monotonic();
  }

  /** Returns the trusted time in milliseconds since 1970. */
  now(): number {
    const monotonic = this.clocks.monotonic();
    const offset = this.clocks.wall() - monotonic;
    if (offset <= this.offset + toleranceMs) {
      this.offset = offset;
      this.aheadSince = null;
    } else {
      this.aheadSince ??= monotonic;
      if (monotonic - this.aheadSince >= settlingMs) {
        this.offset = offset;
        this.aheadSince = null;
      }
    }
    return monotonic + this.offset;
  }
}
