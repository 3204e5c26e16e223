/** Implementation of a browser session. */
import type { BrowserContext, CDPSession, Dialog, Page } from "playwright";
import type { BrowserSession, CallOptions, GotoOptions, Refusal, ScreenshotOptions, StorageState } from "../browser.js";
import { sandboxClosed } from "../closed.js";
import type { HostList } from "../egress/hosts.js";
import { SandboxError } from "../sandbox.js";
import { until } from "../until.js";
import type { GuardedContext } from "./guarded-context.js";

const maxPictureBytes = 16 * 2 ** 20;
const mostHeight = 16_384;
const mostWidth = 4_096;
/**
 * Largest number of pixels in a picture of a whole page, equal to the pixels of the largest viewport. The limit applies
 * before the picture is taken.
 */
const mostPixels = 2 ** 24;

export interface SessionBounds {
  hosts: HostList;
  callMs: number;
  lifetimeMs: number;
}

export class GuardedSession implements BrowserSession {
  readonly ended: Promise<void>;
  readonly context: BrowserContext;
  private readonly losing = new AbortController();
  private readonly ending = new AbortController();
  private readonly cdpSessions = new WeakMap<Page, Promise<CDPSession>>();
  private readonly lifetime: NodeJS.Timeout;
  private closing: Promise<void> | undefined;
  private markEnded = () => {};

  /** @param release frees the session's context; never rejects */
  constructor(
    readonly id: string,
    private readonly guarded: GuardedContext,
    private readonly bounds: SessionBounds,
    private readonly release: () => Promise<void>,
  ) {
    this.context = guarded.context;
    this.context.setDefaultTimeout(bounds.callMs);
    this.context.setDefaultNavigationTimeout(bounds.callMs);
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve;
    });
    const { lifetimeMs } = bounds;
    const advice = "Give the request a longer `lifetimeMs`";
    this.lifetime = setTimeout(() => guarded.lose(`the end of its lifetime of ${lifetimeMs} ms`, advice), lifetimeMs);
    this.lifetime.unref();
    if (guarded.lost.aborted) this.lose();
    else guarded.lost.addEventListener("abort", () => this.lose());
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  get refusals(): readonly Refusal[] {
    return this.guarded.refusals;
  }

  async goto(page: Page, url: string, { waitUntil = "load", ...options }: GotoOptions = {}): Promise<void> {
    const isBlank = url === "about:blank";
    if (!isBlank && !/^https?:/i.test(url))
      throw new SandboxError("REFUSED", "an http: or https: address, or about:blank", url.slice(0, 200));
    if (!isBlank && !this.bounds.hosts.allowsUrl(url))
      throw new SandboxError("REFUSED", "an address whose host is on the session's list", url.slice(0, 200));
    // Playwright's timeout is a little longer, so that Palestra's timeout comes first with a better message.
    const timeout = (options.timeoutMs ?? this.bounds.callMs) + 1_000;
    await this.call(() => page.goto(url, { waitUntil, timeout }), options);
  }

  async call<T>(work: () => Promise<T>, { timeoutMs = this.bounds.callMs, signal }: CallOptions = {}): Promise<T> {
    signal?.throwIfAborted();
    this.checkOpen();
    const late = () => SandboxError.ofState("TIMEOUT", `${this.id} did not answer within ${timeoutMs} ms.`);
    const signals = [this.losing.signal, this.ending.signal, signal];
    try {
      return await until(work(), { ms: timeoutMs, late, signals });
    } catch (error) {
      signal?.throwIfAborted();
      // If the browser has ended, Palestra's error is clearer than Playwright's.
      this.checkOpen();
      throw error;
    }
  }

  async cdp(page: Page): Promise<CDPSession> {
    return this.call(() => {
      const present = this.cdpSessions.get(page);
      if (present) return present;
      const opening = this.context.newCDPSession(page);
      this.cdpSessions.set(page, opening);
      opening.catch(() => this.cdpSessions.delete(page));
      return opening;
    });
  }

  async screenshot(page: Page, options: ScreenshotOptions = {}): Promise<Uint8Array> {
    const { type = "png", quality = 80, isFullPage = false, maxBytes = maxPictureBytes } = options;
    const timeout = (options.timeoutMs ?? this.bounds.callMs) + 1_000;
    const clip = isFullPage ? { clip: await this.wholePage(page), fullPage: true } : {};
    const kind = type === "jpeg" ? { type, quality } : { type };
    const picture = await this.call(() => page.screenshot({ ...kind, ...clip, timeout }), options);
    if (picture.length <= maxBytes) return picture;
    const advice = "Ask for a JPEG, for the viewport alone, or for more bytes";
    throw new SandboxError("TOO_LARGE", `a picture of at most ${maxBytes} bytes`, `${picture.length} bytes`, advice);
  }

  async storageState(): Promise<StorageState> {
    return this.call(() => this.context.storageState());
  }

  onDialog(handler: (dialog: Dialog) => Promise<void> | void): void {
    this.guarded.onDialog = handler;
  }

  close(): Promise<void> {
    if (!this.closing && !this.losing.signal.aborted) this.ending.abort(sandboxClosed(this.id));
    this.closing ??= this.end();
    return this.closing;
  }

  private lose(): void {
    if (this.closing) return;
    this.losing.abort(this.guarded.lost.reason);
    void this.close();
  }

  private async end(): Promise<void> {
    clearTimeout(this.lifetime);
    await this.release();
    this.markEnded();
  }

  private async wholePage(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
    const cdp = await this.cdp(page);
    const { cssContentSize } = await this.call(() => cdp.send("Page.getLayoutMetrics"));
    const bounded = (length: number, most: number) => Math.max(1, Math.min(Math.ceil(length), most));
    const width = bounded(cssContentSize.width, mostWidth);
    const height = bounded(cssContentSize.height, Math.min(mostHeight, Math.floor(mostPixels / width)));
    return { x: 0, y: 0, width, height };
  }

  private checkOpen(): void {
    this.losing.signal.throwIfAborted();
    this.ending.signal.throwIfAborted();
  }
}
