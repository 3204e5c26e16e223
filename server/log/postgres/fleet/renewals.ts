/** Renews the membership of a gym at intervals, and at once when another gym has changed the fleet. */

export class Renewals {
  private timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;
  private isHasty = false;
  private stopped = false;

  /**
   * @param onError called once if a renewal fails. No renewal follows.
   * @param renewalMs milliseconds between renewals
   */
  constructor(
    private readonly renew: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    private readonly renewalMs: number,
  ) {
    this.timer = this.plan();
  }

  /** Renews at once, or again after the running renewal. */
  hasten(): void {
    if (this.running) this.isHasty = true;
    else if (!this.stopped) this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private plan(): NodeJS.Timeout {
    return setTimeout(() => this.run(), this.renewalMs).unref();
  }

  private run(): void {
    clearTimeout(this.timer);
    this.isHasty = false;
    this.running = this.renew().then(() => {
      this.running = null;
      if (this.stopped) return;
      if (this.isHasty) this.run();
      else this.timer = this.plan();
    }, this.onError);
  }
}
