/** One browser session of an agent, with its tabs, network traffic and latest observation. */
import type { Page, Response } from "playwright";
import type { BrowserRequest, BrowserSession } from "../../../sandboxes/browser.js";
import type { SandboxProvider } from "../../../sandboxes/sandbox.js";
import { sandboxCode } from "../../errors.js";
import { type TabAction, Tabs } from "./actions/tabs.js";
import { type Observation, observe, restless, type View } from "./observation/observe.js";
import { type Rest, Traffic } from "./traffic.js";

export type Browsers = SandboxProvider<BrowserRequest, BrowserSession>;

/** Maximum number of attempts to read a page, because the page may navigate during an attempt. */
const mostLooks = 3;

const nothing: Observation = { text: "", places: new Map() };

export class WebSession {
  /** The latest observation. */
  shown = nothing;
  private readonly tabs: Tabs;
  private readonly traffic: Traffic;
  private isActedOn = false;
  private blocked: string | undefined;
  private readonly responses = new WeakMap<Page, Response>();

  private constructor(
    readonly session: BrowserSession,
    private readonly view: View,
  ) {
    this.tabs = new Tabs(session);
    this.traffic = new Traffic(session.context);
    session.context.on("response", (response) => this.note(response));
    session.context.on("requestfailed", (request) => {
      const isBlocked = request.failure()?.errorText === "net::ERR_BLOCKED_BY_CLIENT";
      if (isBlocked && request.isNavigationRequest()) this.blocked = request.url();
    });
  }

  /**
   * Opens a session.
   *
   * @param view form in which the agent sees pages
   * @throws {SandboxError} the session cannot be opened
   * @throws the signal's reason
   */
  static async open(browsers: Browsers, request: BrowserRequest, view: View, signal: AbortSignal) {
    return new WebSession(await browsers.open(request, signal), view);
  }

  /** The tab that was in front most recently. This tab may already be closed. */
  get front(): Page {
    return this.tabs.last;
  }

  /** Returns the front tab. If the front tab is closed, shows another tab. */
  current(signal: AbortSignal): Promise<Page> {
    return this.tabs.current(signal);
  }

  /** Returns the HTTP response that delivered a tab's page, or undefined if the page did not come from a server. */
  responseOf(page: Page): Response | undefined {
    return this.responses.get(page);
  }

  /** Returns the URL to which a page tried to navigate since the last call, if the session does not allow its host. */
  takeBlocked(): string | undefined {
    const { blocked } = this;
    this.blocked = undefined;
    return blocked;
  }

  /**
   * Loads each URL in its own tab, and shows the first tab.
   *
   * @throws {SandboxError} the session failed
   * @throws the signal's reason
   */
  async start(urls: readonly string[], signal: AbortSignal): Promise<void> {
    const [first = "about:blank", ...others] = urls;
    const page = await this.tabs.current(signal);
    await this.traffic.watch(page, await this.session.cdp(page));
    await this.session.goto(page, first, { signal, waitUntil: "domcontentloaded" });
    for (const url of others) await this.tabs.open(url, signal);
    if (others.length > 0) await this.tabs.show(page, signal);
  }

  /**
   * Waits until the page has settled, and then observes it.
   *
   * @throws {SandboxError} the session failed
   * @throws the signal's reason
   */
  async look(signal: AbortSignal): Promise<Observation> {
    let seen: Observation | undefined;
    let isAtRest = false;
    for (let attempt = 0; attempt < mostLooks && !isAtRest; attempt++) {
      const read = await this.read(signal);
      seen = read.seen ?? seen;
      isAtRest = read.isAtRest;
    }
    this.shown = seen ?? (await restless(this.session, await this.tabs.current(signal), signal));
    return this.shown;
  }

  /**
   * Reads the page. `isAtRest` is true if the page stayed the same meanwhile. `seen` is undefined if the page navigated
   * before it could be read.
   */
  private async read(signal: AbortSignal): Promise<{ seen?: Observation; isAtRest: boolean }> {
    const settling = await this.tabs.current(signal);
    await this.traffic.settled(settling, await this.session.cdp(settling), this.isActedOn);
    try {
      const page = await this.tabs.current(signal);
      const navigations = this.traffic.navigationsOf(page);
      const seen = await observe(this.session, page, this.view, signal);
      return { seen, isAtRest: navigations === this.traffic.navigationsOf(page) };
    } catch (error) {
      signal.throwIfAborted();
      if (sandboxCode(error) !== undefined) throw error;
      return { isAtRest: false };
    }
  }

  /**
   * Waits until a page is quiet, up to a time limit, and returns whether the page may change by itself afterwards.
   *
   * @throws {SandboxError} the session failed
   */
  async rest(page: Page, withinMs: number): Promise<Rest> {
    return this.traffic.rest(page, await this.session.cdp(page), withinMs);
  }

  /**
   * Performs an action.
   *
   * @throws {WrongAction} the action cannot be performed; the message is for the agent
   * @throws {SandboxError} TIMEOUT, LOST
   * @throws the signal's reason
   */
  perform(action: TabAction, signal: AbortSignal): Promise<void> {
    this.isActedOn = true;
    return this.tabs.perform(action, this.shown.places, signal);
  }

  close(): Promise<void> {
    return this.session.close();
  }

  private note(response: Response): void {
    if (!response.request().isNavigationRequest()) return;
    try {
      const frame = response.frame();
      if (frame.parentFrame() === null) this.responses.set(frame.page(), response);
    } catch {
      // The page is not open yet, or has already been closed.
    }
  }
}
