/**
 * Places of one site. Each place allows one episode to use the site or one of its copies. Waiting callers get places in
 * order of arrival.
 */

interface Waiter<P> {
  give(place: P): void;
}

export class Places<P> {
  private readonly free: P[];
  private readonly waiting: Waiter<P>[] = [];

  constructor(places: readonly P[]) {
    this.free = [...places];
  }

  /** @param signal aborts the wait, which then throws the signal's reason */
  take(signal: AbortSignal): Promise<P> {
    signal.throwIfAborted();
    const place = this.free.shift();
    if (place !== undefined) return Promise.resolve(place);
    return new Promise((resolve, reject) => {
      const waiter: Waiter<P> = {
        give: (given) => {
          signal.removeEventListener("abort", leave);
          resolve(given);
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(waiter);
    });
  }

  giveBack(place: P): void {
    const next = this.waiting.shift();
    if (next) next.give(place);
    else this.free.push(place);
  }
}
