/**
 * Lends contexts of a few Chromium processes. The request that has waited longest is served first. A browser is
 * replaced when it is old, has served many sessions or uses much memory.
 *
 * - Guaranteed: a separate context for each session; egress to the session's hosts only; an ordinary user and
 *   Chromium's own sandbox, without which a session is refused; no variables of this process's environment; all
 *   browsers end when this process ends.
 * - Not limited: the CPU time and disk use of a single session in a shared browser.
 */
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { BrowserRequest, BrowserSession } from "../browser.js";
import { providerClosed } from "../closed.js";
import type { Lookup } from "../egress/resolve.js";
import { SandboxError, type SandboxProvider } from "../sandbox.js";
import { Turns } from "../turns.js";
import { until } from "../until.js";
import { WaitingLine } from "../waiting-line.js";
import { BrowserPermits, type PermitsOfBrowsers } from "./browser-permits.js";
import { GuardedSession } from "./browser-session.js";
import { Chromium, type ChromiumOptions, keyOf } from "./chromium.js";
import { findBrowser } from "./executable.js";
import type { GuardedContext } from "./guarded-context.js";
import { BrowserFolder, removeOrphans } from "./launcher.js";
import { type CheckedRequest, checkRequest } from "./requests.js";

export interface BrowserProviderOptions {
  /** Largest number of browsers at once that get sessions. Default: 2. */
  browsers?: number;
  /** Permits of the browsers, if other providers share the limit. Default: `browsers` of each kind. */
  permits?: PermitsOfBrowsers | undefined;
  /** Largest number of sessions at once in each browser. Default: 16. */
  contextsPerBrowser?: number;
  /** Number of contexts that each browser keeps ready. Default: 2. */
  warmContexts?: number;
  /** Milliseconds that a browser without sessions keeps running. Default: 5 minutes. */
  warmMs?: number;
  /** Milliseconds that a request may wait until a session can be opened. Default: 30,000. */
  waitMs?: number;
  /** Timeout of a browser's start and of a context's start, in milliseconds. Default: 30,000. */
  startMs?: number;
  /** Path of Chromium's program, or `auto`. Default: the variable PALESTRA_SANDBOXES_BROWSER, else `auto`. */
  program?: string | undefined;
  /** User id of browsers if this process is root. Default: 65534, nobody. */
  user?: number;
  /** Whether to refuse sessions if Chromium runs without its own sandbox. Default: `required`. */
  sandbox?: "required" | "off";
  /**
   * Memory use of a browser in MiB above which the browser gets no more sessions. A browser that uses twice as much is
   * ended. Default: 4,096.
   */
  memoryMb?: number;
  /** Number of sessions that a browser serves before it is replaced. Default: 500. */
  mostServed?: number;
  /** Age in milliseconds after which a browser gets no more sessions. Default: one hour. */
  maxAgeMs?: number;
  /** DNS look-up for the sessions. Default: the system's resolver. */
  lookup?: Lookup | undefined;
}

export class BrowserProvider implements SandboxProvider<BrowserRequest, BrowserSession> {
  private readonly options: Required<Omit<BrowserProviderOptions, "program" | "lookup" | "permits">> &
    Pick<BrowserProviderOptions, "program" | "lookup">;
  private readonly permits: BrowserPermits;
  private readonly line = new WaitingLine<Chromium>();
  private readonly browsers = new Set<Chromium>();
  private readonly sessions = new Set<BrowserSession>();
  private readonly opening = new Set<Promise<unknown>>();
  /** Starts of browsers, including those that wait for a permit. */
  private readonly starting = new Set<Promise<void>>();
  private readonly idle = new Map<Chromium, NodeJS.Timeout>();
  private readonly ending = new AbortController();
  private folder: Promise<BrowserFolder> | undefined;
  private closing: Promise<void> | undefined;

  constructor({ permits, ...options }: BrowserProviderOptions = {}) {
    this.options = { ...defaultPool, ...options };
    const most = this.options.browsers;
    const own = { serving: new Turns({ most }), retiring: new Turns({ most }) };
    this.permits = new BrowserPermits(permits ?? own, () => this.share());
    // Every waiting request adds a listener to this signal, so Node's warning about many listeners is switched off.
    setMaxListeners(0, this.ending.signal);
  }

  /** Number of requests that wait until a session ends. Those that wait for the start of a browser do not count. */
  get waitingCount(): number {
    if (this.mayStart && this.permits.asking === 0) return 0;
    const room = (this.starting.size - this.permits.asking) * this.options.contextsPerBrowser;
    return Math.max(0, this.line.length - room);
  }

  async open(request: BrowserRequest, signal?: AbortSignal): Promise<BrowserSession> {
    signal?.throwIfAborted();
    this.ending.signal.throwIfAborted();
    const checked = checkRequest(request);
    if (process.platform !== "linux")
      throw new SandboxError("REFUSED", "Linux, to supervise browsers", process.platform, "Only it has /proc");
    const opening = this.openSession(checked, signal);
    this.opening.add(opening);
    try {
      return await opening;
    } finally {
      this.opening.delete(opening);
    }
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    this.ending.abort(providerClosed());
    this.line.failAll(this.ending.signal.reason);
    this.permits.withdraw();
    for (const timer of this.idle.values()) clearTimeout(timer);
    await Promise.allSettled([...this.opening]);
    await Promise.all([...this.sessions].map((session) => session.close()));
    await Promise.allSettled([...this.starting]);
    await Promise.all([...this.browsers].map((browser) => browser.end()));
    const folder = await this.folder?.catch(() => undefined);
    await folder?.close();
  }

  private async openSession(checked: CheckedRequest, signal: AbortSignal | undefined): Promise<BrowserSession> {
    const { browsers, contextsPerBrowser, waitMs } = this.options;
    const full = () => {
      const most = browsers * contextsPerBrowser;
      return SandboxError.ofState(
        "FULL",
        `All ${most} browser sessions are in use, and none ended within ${waitMs} ms.`,
      );
    };
    const turn = this.line
      .wait(waitMs, full, signal)
      .finally(() => this.permits.withdraw(this.starting.size - this.needed));
    this.serve(keyOf(checked.options));
    const browser = await turn;
    const opening = browser.open(checked.options);
    try {
      return await this.admit(browser, await this.within(opening, signal), checked, signal);
    } catch (error) {
      // The context may still be opening.
      void opening.then(
        (context) => this.giveBack(browser, context),
        () => this.giveBack(browser, undefined),
      );
      throw error;
    }
  }

  private async admit(
    browser: Chromium,
    context: GuardedContext,
    { rules, callMs, lifetimeMs, storageState }: CheckedRequest,
    signal: AbortSignal | undefined,
  ): Promise<BrowserSession> {
    if (storageState) await this.within(restore(context, storageState), signal);
    context.lost.throwIfAborted();
    context.admit(rules);
    const bounds = { hosts: rules.hosts, callMs, lifetimeMs };
    const session: BrowserSession = new GuardedSession(`browser-${randomUUID()}`, context, bounds, async () => {
      this.sessions.delete(session);
      await this.giveBack(browser, context);
    });
    this.sessions.add(session);
    return session;
  }

  private within<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { startMs } = this.options;
    const late = () => SandboxError.ofState("TIMEOUT", `The browser opened no session within ${startMs} ms.`);
    return until(promise, { ms: startMs, late, signals: [signal, this.ending.signal] });
  }

  private async giveBack(browser: Chromium, context: GuardedContext | undefined): Promise<void> {
    await browser.release(context);
    if (browser.sessions === 0 && this.browsers.has(browser)) this.keepIdle(browser);
    this.serve();
  }

  private keepIdle(browser: Chromium): void {
    clearTimeout(this.idle.get(browser));
    const timer = setTimeout(() => browser.sessions === 0 && browser.retire(), this.options.warmMs);
    timer.unref();
    this.idle.set(browser, timer);
    this.share();
  }

  /** Gives up a permit for requests of other providers: that of a browser without sessions, or of the one with the fewest. */
  private share(): void {
    if (!this.permits.isWanted) return;
    const fewest = [...this.browsers]
      .filter(({ isRetiring }) => !isRetiring)
      .reduce((best: Chromium | undefined, each) => (best && best.sessions <= each.sessions ? best : each), undefined);
    if (!fewest || (fewest.sessions > 0 && !this.permits.mustShare)) return;
    this.permits.giveUp(fewest);
    fewest.retire();
    this.share();
  }

  /** Serves waiting requests. @param key key of the context that the newest request prefers */
  private serve(key = ""): void {
    while (this.line.length > 0) {
      const browser = this.choose(key);
      if (!browser) return this.startMore();
      browser.sessions += 1;
      this.line.serve(browser);
    }
  }

  /** Returns a browser with a warm context of this key, else the browser with the fewest sessions. */
  private choose(key: string): Chromium | undefined {
    const free = [...this.browsers].filter(({ hasRoom }) => hasRoom);
    const rank = (browser: Chromium) => browser.sessions - (browser.hasWarm(key) ? this.options.contextsPerBrowser : 0);
    return free.sort((one, other) => rank(one) - rank(other))[0];
  }

  /** Number of browsers to start for the waiting requests. */
  private get needed(): number {
    return Math.ceil(this.line.length / this.options.contextsPerBrowser);
  }

  private startMore(): void {
    while (this.starting.size < this.needed && this.mayStart) {
      const starting = this.start().finally(() => {
        this.starting.delete(starting);
        this.serve();
      });
      this.starting.add(starting);
    }
  }

  /** Retiring browsers are replaced at once, but at most twice as many browsers as allowed run at a time. */
  private get mayStart(): boolean {
    const { browsers } = this.options;
    const serving = [...this.browsers].filter(({ isRetiring }) => !isRetiring).length;
    return serving + this.starting.size < browsers && this.browsers.size + this.starting.size < 2 * browsers;
  }

  /** Waits for a permit and starts a browser. If the start fails, all waiting requests fail. */
  private async start(): Promise<void> {
    const leave = await this.permits.take();
    if (!leave) return;
    try {
      const program = await findBrowser({ setting: this.options.program });
      const browser = await Chromium.start(await this.ownFolder(), this.chromiumOptions(program));
      void this.permits.hold(browser, leave);
      if (this.ending.signal.aborted) return await browser.end();
      this.browsers.add(browser);
      this.keepIdle(browser);
      void browser.ended.then(() => {
        this.browsers.delete(browser);
        clearTimeout(this.idle.get(browser));
        this.idle.delete(browser);
        this.serve();
      });
    } catch (error) {
      leave();
      this.line.failAll(error);
    }
  }

  private async ownFolder(): Promise<BrowserFolder> {
    this.folder ??= removeOrphans()
      .then(() => BrowserFolder.make())
      .catch((error) => {
        this.folder = undefined;
        throw error;
      });
    return this.folder;
  }

  private chromiumOptions(program: string): ChromiumOptions {
    const { contextsPerBrowser: most, warmContexts: warm, sandbox, ...rest } = this.options;
    return { ...rest, program, most, warm, isSandboxRequired: sandbox === "required" };
  }
}

const defaultPool = {
  browsers: 2,
  contextsPerBrowser: 16,
  warmContexts: 2,
  warmMs: 300_000,
  waitMs: 30_000,
  startMs: 30_000,
  user: 65_534,
  sandbox: "required",
  memoryMb: 4_096,
  mostServed: 500,
  maxAgeMs: 3_600_000,
} as const;

/**
 * Restores cookies and storage. The pages that write local storage are served by Playwright, so no site is contacted.
 */
async function restore({ context }: GuardedContext, state: NonNullable<BrowserRequest["storageState"]>): Promise<void> {
  await context.setStorageState(state).catch((cause: Error) => {
    throw new SandboxError("REFUSED", "a storage state in Playwright's format", cause.message, undefined, { cause });
  });
}
