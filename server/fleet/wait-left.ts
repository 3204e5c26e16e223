/**
 * Parameters of an operation that may wait. If its gym is lost, the wait begins again at another gym, and ends when it would
 * have ended without the loss.
 */
export class WaitLeft {
  private readonly endsAt: number;

  /** @param waitMs milliseconds for which the operation may wait; 0 if it does not wait */
  constructor(
    private readonly asked: object,
    private readonly waitMs: number,
  ) {
    this.endsAt = performance.now() + waitMs;
  }

  /** The parameters, with the milliseconds that are left as `waitMs`. */
  get params(): object {
    if (this.waitMs === 0) return this.asked;
    return { ...this.asked, waitMs: Math.max(0, Math.round(this.endsAt - performance.now())) };
  }
}
