const firstDelayMs = 50;
const longestDelayMs = 5_000;

/** Computes the delays between replacements of a host. The delays grow while replacements end before they are ready. */
export class Restarts {
  private failed = 0;

  /** Returns the delay in milliseconds before the pool replaces `host`, which has ended. */
  delayAfter({ ready }: { ready: boolean }): number {
    this.failed = ready ? 0 : this.failed + 1;
    return ready ? 0 : Math.min(firstDelayMs * 2 ** (this.failed - 1), longestDelayMs);
  }
}
