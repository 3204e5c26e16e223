/** Idle time that a rollout, or a group that lacks rollouts, may have. Each use renews it. */

export interface LeaseState {
  /** Milliseconds since the last use. */
  readonly idleMs: number;
  /** Milliseconds until it ends. */
  readonly leftMs: number;
}

export class Lease {
  private timer: NodeJS.Timeout | undefined;
  private renewedAt = 0;

  /** It does not run before the first `renew`. */
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

  /** Undefined while it does not run. */
  get state(): LeaseState | undefined {
    if (!this.timer) return undefined;
    const idleMs = performance.now() - this.renewedAt;
    return { idleMs, leftMs: Math.max(0, this.ms - idleMs) };
  }
}
