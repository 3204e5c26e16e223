/** Reads web pages: loads each page in a separate browser session and converts it to text in the browser. */
import type { Page as Tab } from "playwright";
import type { BrowserRequest, BrowserSession } from "../../../../sandboxes/browser.js";
import type { SandboxProvider } from "../../../../sandboxes/sandbox.js";
import { sandboxCode } from "../../../errors.js";
import type { Page } from "../remote/kept-pages.js";
import { type Read, readingScript } from "./reading-script.js";

export type Browsers = SandboxProvider<BrowserRequest, BrowserSession>;

/** Timeout in milliseconds for a page to load. */
export const usualLoadMs = 20_000;
/** Milliseconds that a loaded page gets to fetch its text. */
const settleMs = 3_000;
const readMs = 10_000;
const mostLinks = 100;

export class PageReader {
  constructor(
    private readonly browsers: Browsers,
    private readonly hosts: readonly string[],
    private readonly loadMs = usualLoadMs,
  ) {}

  /**
   * Returns the page at an address, or null if the address has no page or the page has no text.
   *
   * @throws {SandboxError} no browser is available, or the browser was lost @throws the signal's reason
   */
  async read(url: string, signal: AbortSignal): Promise<Page | null> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
    const session = await this.browsers.open({ hosts: this.hosts, mostPages: 1, callMs: this.loadMs }, signal);
    try {
      const read = await this.loaded(session, url, signal);
      return read && pageOf(url, read);
    } catch (error) {
      signal.throwIfAborted();
      // Faults of the page: the host is missing or refused, or a script of the page never yields.
      const code = sandboxCode(error);
      if (code === undefined || code === "REFUSED" || code === "TIMEOUT") return null;
      throw error;
    } finally {
      await session.close();
    }
  }

  private async loaded(session: BrowserSession, url: string, signal: AbortSignal): Promise<Read | null> {
    const [tab] = session.context.pages() as [Tab];
    let status = 200;
    tab.on("response", (response) => {
      if (response.frame() === tab.mainFrame() && response.request().isNavigationRequest()) status = response.status();
    });
    await session.goto(tab, url, { signal, waitUntil: "domcontentloaded" });
    await session
      .call(() => tab.waitForLoadState("networkidle", { timeout: settleMs }), { signal, timeoutMs: settleMs + 1_000 })
      .catch(() => signal.throwIfAborted());
    if (status >= 400) return null;
    const devtools = await session.cdp(tab);
    return session.call(
      async () => {
        // The script runs in an isolated world, so that the page cannot change the functions that the script uses.
        const { frameTree } = await devtools.send("Page.getFrameTree");
        const { executionContextId: contextId } = await devtools.send("Page.createIsolatedWorld", {
          frameId: frameTree.frame.id,
        });
        const { result } = await devtools.send("Runtime.evaluate", {
          expression: await readingScript(),
          contextId,
          returnByValue: true,
        });
        return (result.value ?? null) as Read | null;
      },
      { signal, timeoutMs: readMs },
    );
  }
}

function pageOf(url: string, { title, text, links }: Read): Page {
  const others = new Map(links.filter(({ id }) => id !== url).map((link) => [link.id, link]));
  return { id: url, title: title || url, text, links: [...others.values()].slice(0, mostLinks) };
}
