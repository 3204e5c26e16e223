/** The lease of a rollout, or of a group that lacks rollouts: the idle time that it may have. Each use renews it. */

export interface LeaseState {
  /** Milliseconds since the last use. */
  readonly idleMs: number;
  /** Milliseconds until the lease ends. */
  readonly leftMs: number;
}

export class Lease {
  private timer: NodeJS.Timeout | undefined;
  private renewedAt = 0;

  /** Creates a lease that starts at the first `renew`. */
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

  /** State of the lease; undefined while it does not run. */
  get state(): LeaseState | undefined {
    if (!this.timer) return undefined;
    const idleMs = performance.now() - this.renewedAt;
    return { idleMs, leftMs: Math.max(0, this.ms - idleMs) };
  }
}
