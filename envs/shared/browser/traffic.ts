/**
 * Detects when a page has settled, that is, when it no longer changes. The detection observes the navigations, requests
 * and frames of each page.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, CDPSession, Page, Request } from "playwright";

/** Milliseconds without a request after which a page counts as quiet. */
const quietMs = 50;
/** Milliseconds after which a page counts as settled even if the page's scripts still send requests. */
const mostMs = 3_000;
/** Milliseconds after which a page counts as settled even if parts of the page are not loaded. */
const mostLoadingMs = 15_000;

/** Types of requests that are essential to a page. */
const parts = new Set(["document", "script", "stylesheet"]);
/** Types of requests that can change the content of a page. Requests for pictures, fonts and streams do not count. */
const counted = new Set([...parts, "xhr", "fetch"]);
/** DevTools' types of the counted requests that a page's own process sends. The browser sends those of documents. */
const sentByPage = new Set(["Script", "Stylesheet", "XHR", "Fetch"]);

/**
 * Selectors of elements that can change the content after the page has loaded, or that contain other pages. A page that
 * another page opened is checked separately, because its opener may change it.
 */
const changing = [
  "script",
  "iframe",
  "frame",
  "object",
  "embed",
  "meta[http-equiv]",
  "[href^='javascript:' i]",
  "[action^='javascript:' i]",
  "[formaction^='javascript:' i]",
];
/** Script that waits until the page is loaded, and returns whether the page cannot change afterwards. */
const staysStill = `(() => {
  if (window.opener || document.querySelector(${JSON.stringify(changing.join())})) return false;
  const handlers = document.evaluate("boolean(//@*[starts-with(name(), 'on')])", document, null, XPathResult.BOOLEAN_TYPE);
  if (handlers.booleanValue) return false;
  if (document.readyState === "complete") return true;
  return new Promise((done) => addEventListener("load", () => done(true), { once: true }));
})()`;

const lookMs = 4;
/**
 * Time limit in milliseconds for drawing frames, which only a page that hangs reaches. A busy machine may take a second
 * for a frame.
 */
const mostFrameMs = 3_000;
const twoFrames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
/** Script that waits for the pending tasks of a page, such as the submission of a form. */
const nextTask = "new Promise((done) => setTimeout(done))";

/** State of a page that is quiet: a page without scripts stays as it is. */
export type Rest = "stays" | "may change";

/** A pending request in a page's DevTools session: its type, its frame, and the document that sent it. */
interface Announced {
  type: string;
  frameId: string | undefined;
  loaderId: string;
}

export class Traffic {
  /** Pending requests by page. The requests of a closed page are garbage-collected together with the page. */
  private readonly inFlight = new WeakMap<Page, Set<Request>>();
  /**
   * Pending requests by page and id, as announced in the page's own DevTools session. Playwright reports a request only
   * after the browser has intercepted it, on a busy machine long after the page has loaded. In its own session, a page
   * announces a request before it answers a later call.
   */
  private readonly announced = new WeakMap<Page, Map<string, Announced>>();
  /** Addresses of the scripts of each page's workers. Nobody announces when the script of a shared worker has arrived. */
  private readonly workers = new WeakMap<Page, Set<string>>();
  private readonly changedAt = new WeakMap<Page, number>();
  /** Navigations that were requested but have not begun: the time of each request, by page and frame. */
  private readonly wanted = new WeakMap<Page, Map<string, number>>();
  /** Number of requested and begun navigations of each page. */
  private readonly navigations = new WeakMap<Page, number>();
  /** Number of navigations of each page when it last settled. */
  private readonly settledAfter = new WeakMap<Page, number>();
  /** Times at which new pages were requested that have not opened yet. */
  private readonly opening: number[] = [];
  /** Opened pages that have no title yet. */
  private readonly loading = new Set<Page>();

  constructor(context: BrowserContext) {
    const end = (request: Request) => this.note(request, (requests) => requests.delete(request));
    context.on("request", (request) => {
      if (counted.has(request.resourceType())) this.note(request, (requests) => requests.add(request));
    });
    context.on("requestfinished", end);
    context.on("requestfailed", end);
    context.on("page", (page) => this.await(page));
  }

  /**
   * Resolves when the page does not navigate, has sent no request for 50 ms and has drawn two frames, or at the time
   * limit. A page without scripts settles as soon as the page and its pictures are loaded. A page that is still loading at
   * the time limit is stopped. The promise never rejects.
   *
   * @param cdp the page's DevTools session, which must be the same in each call
   * @param isActedOn whether the agent has performed an action in the session. If false, the page is assumed not to
   *   navigate.
   */
  async settled(page: Page, cdp: CDPSession, isActedOn: boolean): Promise<void> {
    await this.watch(page, cdp);
    await this.awaitQuiet(page, cdp, isActedOn);
    this.settledAfter.set(page, this.navigationsOf(page));
  }

  private async awaitQuiet(page: Page, cdp: CDPSession, isActedOn: boolean): Promise<void> {
    const begunAt = performance.now();
    const until = begunAt + mostLoadingMs;
    // The replies arrive after the events of requests and navigations that were sent earlier.
    if (isActedOn) await Promise.all([drawn(cdp, until), evaluated(cdp, nextTask, mostMs)]);
    else await evaluated(cdp, "0", mostMs);
    const isKnown = isActedOn || this.settledAfter.get(page) === this.navigationsOf(page);
    if (isKnown && this.isQuiet(page, quietMs) && (this.changedAt.get(page) ?? 0) < begunAt) return;
    let askedOf: number | undefined;
    while (performance.now() < (this.isLoading(page) ? until : begunAt + mostMs)) {
      if (this.isQuiet(page, 0) && askedOf !== this.changedAt.get(page)) {
        askedOf = this.changedAt.get(page);
        if ((await isStill(cdp, until)) && this.isQuiet(page, 0)) return;
      }
      if (this.isQuiet(page, quietMs)) {
        await drawn(cdp, until);
        if (this.isQuiet(page, quietMs)) return;
      }
      await sleep(lookMs);
    }
    // Chromium returns no accessibility tree for a page with a pending navigation.
    if (this.isLoading(page)) await cdp.send("Page.stopLoading").catch(() => {});
  }

  /**
   * Waits until a page has settled, at most `withinMs` milliseconds, and returns whether the page may change
   * afterwards. The promise never rejects.
   */
  async rest(page: Page, cdp: CDPSession, withinMs: number): Promise<Rest> {
    const until = performance.now() + withinMs;
    await Promise.race([this.settled(page, cdp, false), sleep(Math.max(0, withinMs), undefined, { ref: false })]);
    return this.isQuiet(page, 0) && (await isStill(cdp, until)) ? "stays" : "may change";
  }

  /**
   * Returns the number of requested and begun navigations of a page. The page has stayed the same as long as this
   * number is unchanged.
   */
  navigationsOf(page: Page): number {
    return this.navigations.get(page) ?? 0;
  }

  /**
   * Starts to observe the navigations and requests of a page. The caller must call this method before it loads an
   * address in the page and before the first action there.
   */
  async watch(page: Page, cdp: CDPSession): Promise<void> {
    if (this.wanted.has(page)) return;
    const wanted = new Map<string, number>();
    this.wanted.set(page, wanted);
    const main = await mainFrameOf(cdp);
    const count = (frameId: string) => frameId === main && this.navigations.set(page, this.navigationsOf(page) + 1);
    cdp.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (disposition !== "currentTab") return;
      wanted.set(frameId, performance.now());
      count(frameId);
    });
    cdp.on("Page.windowOpen", () => void this.opening.push(performance.now()));
    cdp.on("Page.frameNavigated", ({ frame }) => {
      wanted.delete(frame.id);
      count(frame.id);
      drop((request) => request.frameId === frame.id && request.loaderId !== frame.loaderId);
    });
    cdp.on("Page.navigatedWithinDocument", ({ frameId }) => void wanted.delete(frameId));
    cdp.on("Page.frameStoppedLoading", ({ frameId }) => void wanted.delete(frameId));
    cdp.on("Page.frameDetached", ({ frameId }) => {
      wanted.delete(frameId);
      drop((request) => request.frameId === frameId);
    });
    const drop = this.listen(page, cdp);
    const unbuffered = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
    await Promise.all([cdp.send("Page.enable"), cdp.send("Network.enable", unbuffered)]).catch(() => {});
  }

  /** Records the requests that a page announces. Returns a function that drops those whose end nobody will announce. */
  private listen(page: Page, cdp: CDPSession): (isLost: (request: Announced) => boolean) => void {
    const announced = new Map<string, Announced>();
    const workers = new Set<string>();
    this.announced.set(page, announced);
    this.workers.set(page, workers);
    const end = ({ requestId }: { requestId: string }) => {
      if (announced.delete(requestId)) this.changedAt.set(page, performance.now());
    };
    cdp.on("Network.requestWillBeSent", ({ requestId, request, type = "", frameId, loaderId }) => {
      // The script of a worker belongs to no document.
      if (loaderId === "") workers.add(request.url);
      if (loaderId === "" || !sentByPage.has(type)) return;
      announced.set(requestId, { type: type.toLowerCase(), frameId, loaderId });
      this.changedAt.set(page, performance.now());
    });
    cdp.on("Network.loadingFinished", end);
    cdp.on("Network.loadingFailed", end);
    return (isLost) => {
      for (const [id, request] of announced) if (isLost(request)) announced.delete(id);
    };
  }

  private isLoading(page: Page): boolean {
    return this.pending(page).some((type) => parts.has(type));
  }

  /** Returns the types of the pending requests that can change a page. */
  private pending(page: Page): string[] {
    const requests = [...(this.inFlight.get(page) ?? [])].filter(
      (request) => !this.workers.get(page)?.has(request.url()),
    );
    const announced = [...(this.announced.get(page)?.values() ?? [])];
    return [...requests.map((request) => request.resourceType()), ...announced.map(({ type }) => type)];
  }

  private isQuiet(page: Page, quietMs: number): boolean {
    const now = performance.now();
    // Navigations may be abandoned, and popups may be blocked.
    const isAwaited = (at: number) => now - at < mostMs;
    if (this.loading.size > 0 || this.opening.some(isAwaited)) return false;
    if ([...(this.wanted.get(page)?.values() ?? [])].some(isAwaited)) return false;
    const quietSince = this.changedAt.get(page) ?? Number.NEGATIVE_INFINITY;
    return this.pending(page).length === 0 && now - quietSince >= quietMs;
  }

  private note(request: Request, change: (requests: Set<Request>) => void): void {
    const page = pageOf(request);
    if (!page) return;
    const requests = this.inFlight.get(page) ?? new Set();
    change(requests);
    this.inFlight.set(page, requests);
    this.changedAt.set(page, performance.now());
  }

  private await(page: Page): void {
    this.opening.shift();
    this.loading.add(page);
    const done = () => this.loading.delete(page);
    page.once("close", done);
    page.waitForLoadState("domcontentloaded", { timeout: mostMs }).then(done, done);
  }
}

/** Returns the page that sent a request, or undefined if the page is not open. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

/** Returns the id of the page's main frame. Navigations do not change this id. */
async function mainFrameOf(cdp: CDPSession): Promise<string | undefined> {
  const tree = await cdp.send("Page.getFrameTree").catch(() => undefined);
  return tree?.frameTree.frame.id;
}

/**
 * Waits until the page and its pictures are loaded, and returns whether the page has no scripts. Returns false for a
 * page that navigates away.
 */
async function isStill(cdp: CDPSession, until: number): Promise<boolean> {
  return (await evaluated(cdp, staysStill, until - performance.now())) === true;
}

/** Waits for two animation frames, up to a time limit. */
async function drawn(cdp: CDPSession, until: number): Promise<void> {
  await evaluated(cdp, twoFrames, Math.min(mostFrameMs, until - performance.now()));
}

/**
 * Returns the value of a promise in the page, or undefined after the time limit or if the page navigates. Never
 * rejects.
 */
async function evaluated(cdp: CDPSession, expression: string, withinMs: number): Promise<unknown> {
  const asked = cdp.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  const value = asked.then(
    ({ result }) => result.value as unknown,
    () => undefined,
  );
  return Promise.race([value, sleep(Math.max(0, withinMs), undefined, { ref: false })]);
}
