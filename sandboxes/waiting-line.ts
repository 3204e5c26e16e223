/** First-in, first-out queue of callers that wait for a value. */

interface Waiter<T> {
  serve(value: T): void;
  fail(error: unknown): void;
}

export class WaitingLine<T> {
  private readonly waiters: Waiter<T>[] = [];

  get length(): number {
    return this.waiters.length;
  }

  /**
   * Waits until this caller is served a value.
   *
   * @param waitMs milliseconds after which the wait fails with the error of `late`; Infinity for no limit
   * @throws the signal's reason, the error of `late`, or the error passed to `failAll`
   */
  wait(waitMs: number, late: () => Error, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const waiter: Waiter<T> = {
        serve(value) {
          stop();
          resolve(value);
        },
        fail(error) {
          stop();
          reject(error);
        },
      };
      const turnAway = (error: unknown) => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        waiter.fail(error);
      };
      const abort = () => turnAway(signal?.reason);
      const timer = Number.isFinite(waitMs) ? setTimeout(() => turnAway(late()), waitMs) : undefined;
      signal?.addEventListener("abort", abort);
      this.waiters.push(waiter);
    });
  }

  /** Gives the value to the caller that has waited longest. Returns false if no caller waits. */
  serve(value: T): boolean {
    const waiter = this.waiters.shift();
    waiter?.serve(value);
    return waiter !== undefined;
  }

  failAll(error: unknown): void {
    for (const waiter of this.waiters.splice(0)) waiter.fail(error);
  }
}
