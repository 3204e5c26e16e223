import type { Permits } from "../permits.js";
import type { Chromium } from "./chromium.js";

export interface PermitsOfBrowsers {
  /** Permits of browsers that get sessions. */
  serving: Permits;
  /** Permits of browsers that get no more sessions, but have some. */
  retiring: Permits;
}

/**
 * The permits of a provider's browsers. A browser holds a permit to serve. When it retires, it takes a permit to retire if one
 * is free, so that another browser can start meanwhile.
 */
export class BrowserPermits {
  /** Starts of browsers that wait for a permit, ordered from the longest to the shortest wait. */
  private readonly asks = new Set<AbortController>();
  /** Retiring browsers that still hold a permit to serve. */
  private readonly givingUp = new Set<Chromium>();

  /** @param onWanted called when a browser should perhaps be given up */
  constructor(
    private readonly permits: PermitsOfBrowsers,
    private readonly onWanted: () => void,
  ) {
    permits.serving.onWaiting(onWanted);
  }

  /** Number of starts that wait for a permit. */
  get asking(): number {
    return this.asks.size;
  }

  /** Whether more browsers of other providers wait than permits are being given up. */
  get isWanted(): boolean {
    return this.givingUp.size < this.permits.serving.waitingCount - this.asks.size;
  }

  /** Whether a browser with sessions should be given up, too. */
  get mustShare(): boolean {
    return this.permits.serving.mustShare;
  }

  /** Returns a function that gives the permit back, or undefined if the request was withdrawn. */
  async take(): Promise<(() => void) | undefined> {
    const ask = new AbortController();
    this.asks.add(ask);
    try {
      return await this.permits.serving.take({ signal: ask.signal });
    } catch {
      return undefined;
    } finally {
      this.asks.delete(ask);
    }
  }

  /** Withdraws requests for permits, from the shortest to the longest wait. @param count default: all */
  withdraw(count = this.asks.size): void {
    const surplus = [...this.asks].reverse().slice(0, Math.max(0, count));
    for (const ask of surplus) ask.abort(new Error("The browser is not needed any more."));
  }

  /** Counts the permit of a browser that is about to retire as given up. */
  giveUp(browser: Chromium): void {
    this.givingUp.add(browser);
  }

  /** Holds the permit to serve until the browser retires, and one permit until it has ended. */
  async hold(browser: Chromium, leave: () => void): Promise<void> {
    await browser.retired;
    this.givingUp.add(browser);
    const end = new AbortController();
    void browser.ended.then(() => end.abort());
    const leaveRetiring = await this.permits.retiring.take({ signal: end.signal }).catch(() => {});
    this.givingUp.delete(browser);
    leave();
    // The permit may have gone to a request of this provider that came before those of others.
    this.onWanted();
    await browser.ended;
    leaveRetiring?.();
  }
}
