/**
 * Time limit of the search for an episode's gym. The time in which a gym runs the request does not count, since a step may
 * take hours before its gym is lost.
 */

/** Number of gyms that may fail during long runs of one request, so that a step that kills its gym cannot kill them all. */
const mostLost = 2;

export class RetryDeadline {
  private begunAt = performance.now();
  private endsAt: number;
  private lost = 0;

  /** @param giveUpMs milliseconds for which a request waits until a gym has its episode */
  constructor(private readonly giveUpMs: number) {
    this.endsAt = this.begunAt + giveUpMs;
  }

  /** Must be called before each attempt. */
  begin(): void {
    const now = performance.now();
    if (this.hasRunLong(now)) {
      this.lost += 1;
      this.endsAt = now + this.giveUpMs;
    }
    this.begunAt = now;
  }

  /** Whether the request is given up, now that an attempt has failed. */
  get isOver(): boolean {
    const now = performance.now();
    return now > this.endsAt && !this.hasRunLong(now);
  }

  private hasRunLong(now: number): boolean {
    return this.lost < mostLost && now - this.begunAt > this.giveUpMs;
  }
}
