/**
 * Time that pages have before an evaluator reads them for the last time. WebArena reads a page three seconds after it
 * has loaded the page, because scripts fill many pages later than the `load` event.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import type { WebSession } from "../browser/web-session.js";

/** Milliseconds from the load of a page to its last reading. */
const giveUpMs = 3_000;
const pollMs = 100;

export class RetryDeadline {
  private readonly until = performance.now() + giveUpMs;
  private canChange: Promise<boolean> | undefined;

  /** The time starts with the construction. */
  constructor(
    private readonly web: WebSession,
    private readonly pages: readonly Page[],
    private readonly signal: AbortSignal,
  ) {}

  /** Waits until the pages are quiet, or their time is over. */
  async settled(): Promise<void> {
    this.canChange ??= this.rest();
    await this.canChange;
  }

  /**
   * Waits for a possible change of the pages, for a tenth of a second.
   *
   * @returns false if the pages cannot change or their time is over
   * @throws the signal's reason
   */
  async changes(): Promise<boolean> {
    await this.settled();
    const left = this.until - performance.now();
    if (left <= 0 || !(await this.canChange)) return false;
    await sleep(Math.min(pollMs, left), undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
    return true;
  }

  private async rest(): Promise<boolean> {
    const open = this.pages.filter((page) => !page.isClosed());
    const rests = await Promise.all(open.map((page) => this.web.rest(page, this.until - performance.now())));
    this.signal.throwIfAborted();
    return rests.includes("may change");
  }
}
