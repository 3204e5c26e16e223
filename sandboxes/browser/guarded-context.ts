/**
 * A Chromium context with a list of hosts that it can reach, and limits on popups, dialogs and navigations.
 *
 * The list is enforced twice. In this class, Playwright intercepts requests before they leave the browser. The egress
 * proxy, through which all traffic of the context goes, checks the requests again. Redirects, sockets of workers and
 * requests of a compromised renderer are checked by the proxy only.
 */
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, BrowserContextOptions, Dialog, Page } from "playwright";
import type { BrowserRequest, Refusal } from "../browser.js";
import { AddressBook } from "../egress/address-book.js";
import { EgressProxy } from "../egress/egress-proxy.js";
import { HostList } from "../egress/hosts.js";
import type { Lookup } from "../egress/resolve.js";
import { SandboxError } from "../sandbox.js";
import { type Bounds, settles, until } from "../until.js";

/** Options of a context, which cannot change after the context's creation. */
export type ContextOptions = Required<Pick<BrowserRequest, "viewport" | "locale" | "timezone" | "javaScript">> &
  Pick<BrowserRequest, "userAgent">;

export interface Rules {
  hosts: HostList;
  addresses: AddressBook;
  mostPages: number;
  mostDialogs: number;
  dialogMs: number;
}

const mostRefusals = 100;
const mostUrlLength = 2_000;
const closeMs = 5_000;
const warmUpMs = 10_000;
const nowhereAtAll = new HostList([]);
const nothingAllowed: Rules = {
  hosts: nowhereAtAll,
  addresses: new AddressBook({}, nowhereAtAll),
  mostPages: 1,
  mostDialogs: 0,
  dialogMs: 1,
};

export class GuardedContext {
  /** The last 100 refusals, from oldest to newest. */
  readonly refusals: Refusal[] = [];
  /** Handler of dialogs. */
  onDialog: ((dialog: Dialog) => Promise<void> | void) | undefined;
  private readonly losing = new AbortController();
  private readonly dialogTimers = new Set<NodeJS.Timeout>();
  /**
   * URL to load for warming up, with a host name that never exists (RFC 6761). The loaded page is the proxy's refusal.
   * Since the name is random, late requests of the page, such as for its icon, are not mistaken for requests of a
   * session.
   */
  private readonly nowhere = `http://${randomUUID()}.invalid/`;
  private rules = nothingAllowed;
  private dialogs = 0;
  private isClosing = false;
  private isWarmingUp = false;
  private closing: Promise<boolean> | undefined;

  private constructor(
    readonly context: BrowserContext,
    private readonly proxy: EgressProxy,
  ) {
    proxy.onRefused = (url, reason) => this.refuse(url, reason);
    context.on("page", (page) => this.addPage(page));
    context.on("dialog", (dialog) => void this.answer(dialog));
  }

  /**
   * Opens a context with one blank page. The context can reach no host until `admit` is called.
   *
   * @param bounds time limit of the opening, since Playwright may never answer if the browser crashes
   */
  static async open(
    browser: Browser,
    options: ContextOptions,
    bounds: Bounds,
    lookup?: Lookup,
  ): Promise<GuardedContext> {
    // This Chromium does no DNS look-ups and so has no keys for encrypted ClientHellos. Chromium only sends decoys (GREASE).
    const proxy = await EgressProxy.open({ lookup, mayEncryptHello: true });
    const opening = GuardedContext.make(browser, options, proxy);
    try {
      return await until(opening, bounds);
    } catch (error) {
      void opening.then((context) => context.close()).catch(() => {});
      await proxy.close();
      throw error;
    }
  }

  private static async make(browser: Browser, options: ContextOptions, proxy: EgressProxy): Promise<GuardedContext> {
    const context = await browser.newContext(playwrightOptions(options, proxy.port));
    const guarded = new GuardedContext(context, proxy);
    try {
      await guarded.guard();
      await context.newPage();
      return guarded;
    } catch (error) {
      void context.close().catch(() => {});
      throw error;
    }
  }

  /**
   * Makes the first navigation faster. The blank page runs a script and is painted. A second page makes a request that the
   * proxy refuses, and is closed again. Call this method before `admit`. Never rejects.
   */
  async warmUp(): Promise<void> {
    const [page] = this.context.pages();
    this.isWarmingUp = true;
    const painting = page?.evaluate("1").then(() => page.screenshot({ timeout: warmUpMs }));
    await settles(Promise.all([painting, this.visitNowhere()]), warmUpMs);
    this.isWarmingUp = false;
  }

  private async visitNowhere(): Promise<void> {
    const page = await this.context.newPage();
    try {
      await page.goto(this.nowhere, { timeout: warmUpMs });
    } finally {
      await page.close();
    }
  }

  /** Aborts when a page has crashed or the browser has ended. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** Applies the session's rules, so that the context can reach the hosts in the rules. */
  admit(rules: Rules): void {
    this.rules = rules;
    this.proxy.hosts = rules.hosts;
    this.proxy.addresses = rules.addresses;
  }

  lose(received: string, advice?: string): void {
    if (this.isClosing) return;
    this.losing.abort(new SandboxError("LOST", "an open browser session", received, advice));
  }

  /** Closes the context, and returns whether the browser did so in time. Never rejects. */
  close(): Promise<boolean> {
    this.isClosing = true;
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<boolean> {
    for (const timer of this.dialogTimers) clearTimeout(timer);
    this.admit(nothingAllowed);
    const [isClosed] = await Promise.all([settles(this.context.close(), closeMs), this.proxy.close()]);
    return isClosed;
  }

  private async guard(): Promise<void> {
    const { context } = this;
    await Promise.all([
      context.grantPermissions([]),
      context.route("**/*", async (route) => {
        const url = route.request().url();
        if (this.mayLoad(url)) return void (await route.continue().catch(() => {}));
        this.refuse(url, "its host is not among the session's hosts");
        await route.abort("blockedbyclient").catch(() => {});
      }),
      context.routeWebSocket(
        (url) => !this.rules.hosts.allowsUrl(url.href),
        (socket) => {
          this.refuse(socket.url(), "its host is not among the session's hosts");
          void socket.close({ code: 1008, reason: "refused" }).catch(() => {});
        },
      ),
    ]);
  }

  private mayLoad(url: string): boolean {
    if (this.isWarmingUp && url === this.nowhere) return true;
    return /^(data|blob|about):/i.test(url) || (/^https?:/i.test(url) && this.rules.hosts.allowsUrl(url));
  }

  private addPage(page: Page): void {
    if (this.isWarmingUp) return;
    if (this.context.pages().length > this.rules.mostPages) {
      this.refuse(page.url(), `more than ${this.rules.mostPages} pages at once`);
      return void page.close().catch(() => {});
    }
    page.on("crash", () => this.lose("the crash of a page"));
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.leaveForbidden(page);
    });
  }

  /** Navigates a page away if it shows a file, a browser page or a `data:` URL. */
  private leaveForbidden(page: Page): void {
    const url = page.url();
    if (url === "" || /^(https?:|blob:|about:blank|chrome-error:)/i.test(url)) return;
    this.refuse(url, "pages may load only http:, https: and about:blank");
    page.goto("about:blank").catch(() => {});
  }

  private async answer(dialog: Dialog): Promise<void> {
    this.dialogs += 1;
    if (this.dialogs > this.rules.mostDialogs) {
      this.refuse(dialog.page()?.url() ?? "", `more than ${this.rules.mostDialogs} dialogs`);
      void dialog
        .page()
        ?.close()
        .catch(() => {});
      return dismiss(dialog);
    }
    if (!this.onDialog) return dismiss(dialog);
    const timer = setTimeout(() => {
      this.dialogTimers.delete(timer);
      void dismiss(dialog);
    }, this.rules.dialogMs);
    this.dialogTimers.add(timer);
    try {
      await this.onDialog(dialog);
    } catch {
      await dismiss(dialog);
    }
  }

  private refuse(url: string, reason: string): void {
    if (this.isWarmingUp || url.startsWith(this.nowhere)) return;
    this.refusals.push({ url: url.slice(0, mostUrlLength), reason });
    if (this.refusals.length > mostRefusals) this.refusals.shift();
  }
}

function playwrightOptions(options: ContextOptions, proxyPort: number): BrowserContextOptions {
  const { viewport, locale, timezone, javaScript, userAgent } = options;
  return {
    viewport,
    locale,
    timezoneId: timezone,
    javaScriptEnabled: javaScript,
    ...(userAgent !== undefined && { userAgent }),
    // Playwright adds `<-loopback>`, so that requests to loopback addresses also go through the proxy.
    proxy: { server: `http://127.0.0.1:${proxyPort}` },
    serviceWorkers: "block",
    acceptDownloads: false,
    permissions: [],
  };
}

/** Dismisses a dialog, or accepts it if it is `beforeunload`. Does nothing if the dialog has already been answered. */
async function dismiss(dialog: Dialog): Promise<void> {
  await (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()).catch(() => {});
}
