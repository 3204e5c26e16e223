/** Spreads the steps of all episodes over the faults, so that each fault meets clients in the middle of their work. */

interface Waiter {
  isDue: () => boolean;
  resolve: () => void;
}

const tickMs = 40;

export class Pace {
  private waiters: Waiter[] = [];
  private readonly timer = setInterval(() => this.tick(), tickMs);

  /** @param progress returns the share of the faults that are over, from 0 to 1 */
  constructor(private readonly progress: () => number) {}

  /** Resolves when the given share of the faults is over, or earlier if `isHurried` returns true. */
  until(part: number, isHurried: () => boolean): Promise<void> {
    const isDue = () => this.progress() >= part || isHurried();
    if (isDue()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ isDue, resolve }));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const due = this.waiters.filter(({ isDue }) => isDue());
    if (due.length === 0) return;
    const isResolved = new Set(due);
    this.waiters = this.waiters.filter((waiter) => !isResolved.has(waiter));
    for (const { resolve } of due) resolve();
  }
}
