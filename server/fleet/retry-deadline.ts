/**
 * How long a request looks for the gym of its episode. The time in which a gym carries it out does not count, since a step
 * may take hours before its gym is lost.
 */

/** Number of gyms that a request may lose after it was carried out there for long. A step that ends its gym does not end all. */
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
