/** A Chromium process with its contexts. Some contexts are kept warm for later sessions. */
import { setMaxListeners } from "node:events";
import type { Browser } from "playwright";
import { EgressProxy } from "../egress/egress-proxy.js";
import type { Lookup } from "../egress/resolve.js";
import { SandboxError } from "../sandbox.js";
import { settles } from "../until.js";
import { type ContextOptions, GuardedContext } from "./guarded-context.js";
import { launch, sandboxAdvice, startError } from "./launch.js";
import { type BrowserFolder, endFolder } from "./launcher.js";
import { mostMessageBytes, watchMessages } from "./messages.js";
import { confinementGap, memoryOf } from "./processes.js";

export interface ChromiumOptions {
  /** Path of the program. */
  program: string;
  /** User id of the browser if this process is root. */
  user: number;
  /** Whether to refuse sessions if Chromium runs without its own sandbox. */
  isSandboxRequired: boolean;
  /** Timeout of the browser's start and of a context's start, in milliseconds. */
  startMs: number;
  /** Number of contexts kept warm. */
  warm: number;
  /** Largest number of sessions at once. */
  most: number;
  /** Number of sessions after which the browser is retired. */
  mostServed: number;
  /** Age in milliseconds after which the browser is retired. */
  maxAgeMs: number;
  /**
   * Memory use of all processes in MiB above which the browser is retired. A browser that uses twice as much is ended.
   */
  memoryMb: number;
  lookup?: Lookup | undefined;
}

const measureEveryMs = 5_000;
/** Smallest interval in milliseconds between two measurements of memory, which are costly for the kernel. */
const measureApartMs = 2_000;
const closeMs = 2_000;
const answerMs = 2_000;
/** Number of failed contexts in a row after which the browser is retired. */
const mostFailures = 3;
const warmUpAfterMs = 750;

export const defaultOptions: ContextOptions = {
  viewport: { width: 1_280, height: 720 },
  locale: "en-US",
  timezone: "UTC",
  javaScript: true,
};

interface Warm {
  key: string;
  context: GuardedContext;
}

export class Chromium {
  /** Resolves when all processes have ended. */
  readonly ended: Promise<void>;
  /** Resolves when the browser gets no more sessions. */
  readonly retired: Promise<void>;
  /** Number of sessions that are open or being opened. */
  sessions = 0;
  private served = 0;
  private isRetired = false;
  private readonly gone = new AbortController();
  private ending: Promise<void> | undefined;
  private markEnded = () => {};
  private markRetired = () => {};
  private readonly contexts = new Set<GuardedContext>();
  private readonly warm: Warm[] = [];
  private warming: NodeJS.Timeout | undefined;
  private wanted = defaultOptions;
  private failures = 0;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private readonly startedAt = performance.now();
  private readonly watch: NodeJS.Timeout;

  private constructor(
    private readonly browser: Browser,
    /** Folder of the browser. Every process of the browser has the folder's path in its command line. */
    readonly folder: string,
    private readonly deadEnd: EgressProxy,
    private readonly options: ChromiumOptions,
  ) {
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve;
    });
    this.retired = new Promise((resolve) => {
      this.markRetired = resolve;
    });
    // Every opening context adds a listener to this signal, so Node's warning about many listeners is switched off.
    setMaxListeners(0, this.gone.signal);
    browser.once("disconnected", () => void this.end("the end of its browser"));
    this.watch = setInterval(() => void this.measure(), measureEveryMs);
    this.watch.unref();
  }

  /** @throws {SandboxError} MISSING, REFUSED, START */
  static async start(folder: BrowserFolder, options: ChromiumOptions): Promise<Chromium> {
    const own = await folder.add(options.program, options.user);
    const deadEnd = await EgressProxy.open();
    try {
      const { isSandboxRequired, startMs } = options;
      const { artifacts } = folder;
      const where = { folder: own, artifacts, proxyPort: deadEnd.port };
      const { browser, child } = await launch({ ...where, isSandboxRequired, startMs });
      const chromium = new Chromium(browser, own, deadEnd, options);
      const received = `a message of more than ${mostMessageBytes} bytes from the browser`;
      watchMessages(child, () => void chromium.end(received, "One of its pages has written or sent too much at once"));
      await chromium.becomeReady();
      return chromium;
    } catch (error) {
      await Promise.all([deadEnd.close(), endFolder(own)]);
      throw error instanceof SandboxError ? error : startError(options.program, error as Error);
    }
  }

  /** Whether the browser gets no more sessions and ends with its last session. */
  get isRetiring(): boolean {
    return this.isRetired;
  }

  get hasRoom(): boolean {
    return !this.isRetired && this.sessions < this.options.most;
  }

  hasWarm(key: string): boolean {
    return this.warm.some((each) => each.key === key);
  }

  /** Opens a context for a session that is counted in `sessions`. @throws {SandboxError} START, TIMEOUT */
  async open(options: ContextOptions): Promise<GuardedContext> {
    this.served += 1;
    const at = this.warm.findIndex(({ key }) => key === keyOf(options));
    const [ready] = at === -1 ? [] : this.warm.splice(at, 1);
    try {
      return ready && !ready.context.lost.aborted ? ready.context : await this.openContext(options);
    } finally {
      this.warmUp(options);
    }
  }

  /** Closes a session's context. A further session can then be opened. */
  async release(context: GuardedContext | undefined): Promise<void> {
    if (context && !(await context.close())) this.retire();
    if (context) this.contexts.delete(context);
    this.sessions -= 1;
    const { mostServed, maxAgeMs } = this.options;
    if (this.served >= mostServed || performance.now() - this.startedAt >= maxAgeMs) this.retire();
    else void this.measure();
    if (this.isRetired && this.sessions === 0) await this.end();
  }

  /** Retires the browser, which then gets no more sessions and ends with its last session. */
  retire(): void {
    this.isRetired = true;
    this.markRetired();
    for (const { context } of this.warm.splice(0)) void this.discard(context);
    if (this.sessions === 0) void this.end();
  }

  /** Ends all processes. Open sessions are lost. Never rejects. */
  end(received = "the end of its browser", advice?: string): Promise<void> {
    this.ending ??= this.endAll(received, advice);
    return this.ending;
  }

  private async endAll(received: string, advice?: string): Promise<void> {
    this.isRetired = true;
    this.markRetired();
    this.gone.abort(new SandboxError("START", "a running browser", received, advice));
    clearInterval(this.watch);
    clearTimeout(this.warming);
    for (const context of this.contexts) context.lose(received, advice);
    await settles(this.browser.close(), closeMs);
    await endFolder(this.folder);
    await Promise.all([this.deadEnd.close(), ...[...this.contexts].map((context) => context.close())]);
    this.markEnded();
  }

  private async becomeReady(): Promise<void> {
    const first = await this.openContext(defaultOptions);
    this.warm.push({ key: keyOf(defaultOptions), context: first });
    if (!this.options.isSandboxRequired) return;
    const gap = await confinementGap(this.folder);
    if (gap === undefined) return;
    await this.end();
    throw new SandboxError("REFUSED", "renderers inside Chromium's own sandbox", gap, sandboxAdvice);
  }

  private async openContext(options: ContextOptions): Promise<GuardedContext> {
    const { startMs, lookup } = this.options;
    const late = () => SandboxError.ofState("TIMEOUT", `Chromium opened no context within ${startMs} ms.`);
    const bounds = { signals: [this.gone.signal], ms: startMs, late };
    try {
      const context = await GuardedContext.open(this.browser, options, bounds, lookup);
      this.contexts.add(context);
      this.failures = 0;
      if (this.ending) context.lose("the end of its browser");
      return context;
    } catch (error) {
      await this.checkAnswering();
      if (error instanceof SandboxError) throw error;
      throw new SandboxError("START", "a new Chromium context", (error as Error).message, undefined, { cause: error });
    }
  }

  /** Counts a failed context. Retires the browser if it does not answer, or after several failures in a row. */
  private async checkAnswering(): Promise<void> {
    this.failures += 1;
    const asking = this.browser.newBrowserCDPSession().then(async (cdp) => {
      await cdp.send("Browser.getVersion");
      await cdp.detach();
    });
    const hasAnswered = settles(asking, answerMs).then(async (isSettled) => isSettled && (await asking.then(yes, no)));
    if (this.failures >= mostFailures || !(await hasAnswered)) this.retire();
  }

  private async discard(context: GuardedContext): Promise<void> {
    this.contexts.delete(context);
    await context.close();
  }

  /**
   * Opens warm contexts with the latest session's options, one after another. The first waits until the session's first
   * page has had time to load.
   */
  private warmUp(options: ContextOptions): void {
    this.wanted = options;
    for (const { context } of this.warm.splice(this.options.warm)) void this.discard(context);
    this.warming ??= setTimeout(() => {
      const filled = this.wanted;
      void this.fill(filled)
        .catch(() => {})
        .finally(() => {
          this.warming = undefined;
          // A session that was opened meanwhile may have other options.
          if (!this.isRetired && keyOf(this.wanted) !== keyOf(filled)) this.warmUp(this.wanted);
        });
    }, warmUpAfterMs).unref();
  }

  private async fill(options: ContextOptions): Promise<void> {
    const key = keyOf(options);
    const wanted = () => Math.min(this.options.warm, this.options.most - this.sessions);
    while (!this.isRetired && this.warm.filter((each) => each.key === key).length < wanted()) {
      const context = await this.openContext(options);
      await context.warmUp();
      if (this.isRetired) return this.discard(context);
      this.warm.push({ key, context });
      const [oldest] = this.warm.length > this.options.warm ? this.warm.splice(0, 1) : [];
      if (oldest) await this.discard(oldest.context);
    }
  }

  private async measure(): Promise<void> {
    if (performance.now() - this.measuredAt < measureApartMs) return;
    this.measuredAt = performance.now();
    const mebibytes = (await memoryOf(this.folder)) / 2 ** 20;
    const { memoryMb } = this.options;
    const advice = "Raise `sandboxes.browserMemoryMb`, or lower `sandboxes.contextsPerBrowser`";
    if (mebibytes > 2 * memoryMb) await this.end(`a browser of ${Math.round(mebibytes)} MiB`, advice);
    else if (mebibytes > memoryMb) this.retire();
  }
}

const yes = () => true;
const no = () => false;

/** Returns a key that is equal for options that can share warm contexts. */
export function keyOf({ viewport, locale, timezone, javaScript, userAgent }: ContextOptions): string {
  return JSON.stringify([viewport.width, viewport.height, locale, timezone, javaScript, userAgent]);
}
