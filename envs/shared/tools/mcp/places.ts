/** Limits how many processes of one server run at a time. */
export class Places {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /**
   * Waits until fewer than `most` processes run, and reserves a place. Callers are served in order of arrival.
   *
   * @returns a function that frees the place; further calls of it have no effect
   * @throws the signal's reason
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.taken < this.most) this.taken += 1;
    else await this.turn(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.pass();
      isHeld = false;
    };
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(enter);
    });
  }

  /** Gives a place to the first waiting caller, or frees it. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken -= 1;
  }
}
