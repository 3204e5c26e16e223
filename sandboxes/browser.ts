/**
 * The contract of browser sessions. A session is a fresh Chromium context with its own cookies, storage and tabs. It
 * can reach only the hosts on a list. All of Playwright's `BrowserContext` and `Page` can be used. `goto`, `call` and
 * `screenshot` add timeouts and size limits.
 */
import type { BrowserContext, CDPSession, Dialog, Page } from "playwright";
import type { Resource } from "./resource.js";

/** Cookies and the local storage of each origin, as `BrowserSession.storageState` returns them. */
export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Description of a session to open. */
export interface BrowserRequest {
  /**
   * Hosts that the session can reach over HTTP, HTTPS and WebSocket: `name`, `*.name` or an address, with `:port`
   * unless the port is 80 or 443. A private address, or an address of this machine, needs an entry with host and port
   * and without `*`, such as `127.0.0.1:7770` or `shop.localhost:7770`. A link-local address needs an entry with the
   * address itself.
   */
  hosts: readonly string[];
  /**
   * Addresses of hosts of the list, used instead of DNS: a map from `name` (port 80) or `name:port` to `address:port`.
   * With them, a URL can be the same in every session while each session uses a different server.
   */
  addresses?: Readonly<Record<string, string>>;
  /** Size of the viewport in CSS pixels, at most 4,096 x 4,096. Default: 1,280 x 720. */
  viewport?: { width: number; height: number };
  /** Language tag. Default: `en-US`. */
  locale?: string;
  /** IANA time zone. Default: `UTC`. */
  timezone?: string;
  /** User agent header. Default: Chromium's own. */
  userAgent?: string;
  /** Whether pages run scripts. Default: true. */
  javaScript?: boolean;
  /** Initial cookies and storage, such as the result of an earlier login. */
  storageState?: StorageState;
  /** Largest number of tabs and popups at once. Further tabs and popups are closed as they open. Default: 16. */
  mostPages?: number;
  /** Largest number of dialogs in one session. A page that opens a further dialog is closed. Default: 1,000. */
  mostDialogs?: number;
  /**
   * Timeout of a dialog's handler, in milliseconds. A dialog that is not answered in time is dismissed. Default:
   * 10,000.
   */
  dialogMs?: number;
  /** Timeout of each call to Playwright, in milliseconds. Default: 30,000. */
  callMs?: number;
  /** Milliseconds after which the session is ended. Default: one hour. */
  lifetimeMs?: number;
}

export interface CallOptions {
  /** Timeout of the call, in milliseconds. Default: the request's `callMs`. */
  timeoutMs?: number;
  /** Signal that aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface GotoOptions extends CallOptions {
  /** Event to wait for, as in Playwright. Default: `load`. */
  waitUntil?: "commit" | "domcontentloaded" | "load" | "networkidle";
}

export interface ScreenshotOptions extends CallOptions {
  /** File format. Default: `png`. */
  type?: "png" | "jpeg";
  /** Quality of a JPEG, from 0 to 100. Default: 80. */
  quality?: number;
  /**
   * Whether to capture the whole page instead of the viewport. The picture is cut to a width of 4,096, a height of 16,384 and
   * an area of 16,777,216 CSS pixels.
   */
  isFullPage?: boolean;
  /** Largest picture accepted, in bytes. Default: 16 MiB. */
  maxBytes?: number;
}

/** A request, page or dialog that was refused in a session. */
export interface Refusal {
  /** Address as the browser or the proxy saw it, cut to 2,000 characters. */
  url: string;
  reason: string;
}

/** A separate browser context in a shared browser. The context starts with one blank page. */
export interface BrowserSession extends Resource {
  /** Resolves when the session has ended and its resources are free. */
  readonly ended: Promise<void>;
  /**
   * Playwright's context, with pages, frames, input, cookies and events. The context's default timeout is the request's
   * `callMs`.
   */
  readonly context: BrowserContext;
  /** The last 100 refusals, from oldest to newest. */
  readonly refusals: readonly Refusal[];
  /**
   * Navigates a page to an HTTP or HTTPS address, or to `about:blank`.
   *
   * @throws {SandboxError} REFUSED for a different scheme or a host that is not on the list, TIMEOUT, LOST
   * @throws the signal's reason @throws Playwright's error if the page cannot be loaded
   */
  goto(page: Page, url: string, options?: GotoOptions): Promise<void>;
  /**
   * Applies a timeout to calls to Playwright. Some Playwright calls, such as `page.evaluate`, have no timeout of their
   * own.
   *
   * @throws {SandboxError} TIMEOUT, LOST @throws the signal's reason @throws the error of `work`
   */
  call<T>(work: () => Promise<T>, options?: CallOptions): Promise<T>;
  /**
   * Returns the page's DevTools session. Every call for a page returns the same session. @throws {SandboxError} TIMEOUT,
   * LOST
   */
  cdp(page: Page): Promise<CDPSession>;
  /** Returns the bytes of a picture. @throws {SandboxError} TOO_LARGE, TIMEOUT, LOST @throws the signal's reason */
  screenshot(page: Page, options?: ScreenshotOptions): Promise<Uint8Array>;
  /** Returns cookies and local storage, to pass to a later `BrowserRequest`. @throws {SandboxError} TIMEOUT, LOST */
  storageState(): Promise<StorageState>;
  /**
   * Sets the handler of the dialogs that open from now on. A dialog is dismissed if the session has no handler, or if
   * the handler throws or takes longer than `dialogMs`. A `beforeunload` dialog is accepted instead.
   */
  onDialog(handler: (dialog: Dialog) => Promise<void> | void): void;
}
