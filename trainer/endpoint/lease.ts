/** The lease of a rollout, or of a group that is not full: the maximum idle time. Each use renews the lease. */

export interface LeaseState {
  /** Milliseconds since the lease was last renewed. */
  readonly idleMs: number;
  /** Milliseconds until the lease ends. */
  readonly leftMs: number;
}

export class Lease {
  private timer: NodeJS.Timeout | undefined;
  private renewedAt = 0;

  /** Creates a lease that starts with the first call of `renew`. */
  constructor(
    private readonly ms: number,
    private readonly onEnd: () => void,
  ) {}

  renew(): void {
    clearTimeout(this.timer);
    this.renewedAt = performance.now();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.onEnd();
    }, this.ms).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** State of the lease; undefined while the lease is stopped. */
  get state(): LeaseState | undefined {
    if (!this.timer) return undefined;
    const idleMs = performance.now() - this.renewedAt;
    return { idleMs, leftMs: Math.max(0, this.ms - idleMs) };
  }
}
