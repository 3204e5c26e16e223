/** Limits concurrent work; waiting work starts in the order of the calls. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /**
   * Runs work as soon as the limit allows it.
   *
   * @throws the signal's reason at once, if the signal aborts before the work begins
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.acquire(signal);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private acquire(signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(enter);
    });
  }
}
