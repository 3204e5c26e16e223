/** Manages the tabs of a session, and performs the agent's actions in them. */
import type { CDPSession, Page } from "playwright";
import type { BrowserSession } from "../../../../sandboxes/browser.js";
import { sandboxCode } from "../../../errors.js";
import type { Place } from "../observation/ax-text.js";
import { playwrightKeys, type WebAction, WrongAction } from "./web-action.js";

/** Actions in a tab. All actions except `stop`, which submits the answer. */
export type TabAction = Exclude<WebAction, { kind: "stop" }>;

/** Maximum number of characters of a text that is typed with key events. A longer text is inserted at once. */
const mostTyped = 200;
/**
 * Time limit in milliseconds for a page to start loading. After this time, the agent receives the current state of the
 * page.
 */
const loadMs = 15_000;

/** Time limit in milliseconds for locating an element. After this time, the element counts as removed. */
const boxMs = 2_000;

/** Runs in the page: the box of what an element contains, if the element has no box of its own, as with `display: contents`. */
const boxOfContent = new Function(
  "element",
  `const range = document.createRange();
  range.selectNodeContents(element);
  const { x, y, width, height } = range.getBoundingClientRect();
  return window === window.top && width > 0 && height > 0 ? { x, y, width, height } : null;`,
) as (element: unknown) => Box | null;
const isChoice = "document.activeElement?.localName === 'select'";
const scrolling = "(document.scrollingElement || document.body)";

export class Tabs {
  private front: Page;

  constructor(private readonly session: BrowserSession) {
    this.front = session.context.pages()[0] as Page;
  }

  /** The tab that was in front most recently. This tab may already be closed. */
  get last(): Page {
    return this.front;
  }

  /** Returns the tab that receives the actions. If the front tab is closed, returns the last open tab, or a new tab. */
  async current(signal: AbortSignal): Promise<Page> {
    if (!this.front.isClosed()) return this.front;
    const pages = this.session.context.pages();
    return this.show(pages.at(-1) ?? (await this.add(signal)), signal);
  }

  /** Opens an address in a new tab. */
  async open(url: string, signal: AbortSignal): Promise<Page> {
    const page = await this.add(signal);
    await this.session.goto(page, url, { signal, waitUntil: "load" });
    return page;
  }

  async show(page: Page, signal: AbortSignal): Promise<Page> {
    this.front = page;
    await this.session.call(() => page.bringToFront(), { signal });
    return page;
  }

  /**
   * Performs an action.
   *
   * @param places elements of the latest observation, by number
   * @throws {WrongAction} the action cannot be performed; the message is for the agent
   * @throws {SandboxError} TIMEOUT, LOST
   * @throws the signal's reason
   */
  async perform(action: TabAction, places: ReadonlyMap<string, Place>, signal: AbortSignal): Promise<void> {
    const page = await this.current(signal);
    const call = (work: () => Promise<unknown>) => this.attempt(work, signal);
    switch (action.kind) {
      case "click":
      case "hover": {
        const [x, y] = await this.centre(page, places.get(action.id), action.id, signal);
        return call(() => (action.kind === "click" ? page.mouse.click(x, y) : page.mouse.move(x, y)));
      }
      case "type": {
        const [x, y] = await this.centre(page, places.get(action.id), action.id, signal);
        const cdp = await this.session.cdp(page);
        return call(() => type(page, cdp, [x, y], action.text, action.isEntered));
      }
      case "press":
        return call(() => page.keyboard.press(playwrightKeys(action.keys)));
      case "scroll": {
        const sign = action.direction === "down" ? "+" : "-";
        return call(() => page.evaluate(`${scrolling}.scrollTop = ${scrolling}.scrollTop ${sign} window.innerHeight`));
      }
      case "goto":
        return this.lead(page, action.url, signal);
      case "go_back":
        return call(() => page.goBack({ waitUntil: "commit", timeout: loadMs }));
      case "go_forward":
        return call(() => page.goForward({ waitUntil: "commit", timeout: loadMs }));
      default:
        return this.change(action, page, signal);
    }
  }

  private async change(
    action: Extract<TabAction, { kind: "new_tab" | "close_tab" | "tab_focus" }>,
    page: Page,
    signal: AbortSignal,
  ): Promise<void> {
    switch (action.kind) {
      case "new_tab":
        this.front = await this.add(signal);
        return;
      case "close_tab":
        await this.session.call(() => page.close(), { signal });
        await this.current(signal);
        return;
      case "tab_focus": {
        const pages = this.session.context.pages();
        const wanted = pages[action.index];
        if (!wanted)
          throw new WrongAction(`expected a tab from 0 to ${pages.length - 1}, but received ${action.index}`);
        await this.show(wanted, signal);
      }
    }
  }

  private async lead(page: Page, url: string, signal: AbortSignal): Promise<void> {
    try {
      await this.session.goto(page, url, { signal, waitUntil: "domcontentloaded", timeoutMs: loadMs });
    } catch (error) {
      throw asWrongAction(error, signal);
    }
  }

  /**
   * Returns the center of an element, in CSS pixels of the viewport. An element with a Playwright reference is located
   * again, even inside a frame.
   */
  private async centre(
    page: Page,
    place: Place | undefined,
    id: string,
    signal: AbortSignal,
  ): Promise<readonly [number, number]> {
    const box = place?.ref === undefined ? boxOf(place) : await this.boxOfReference(page, place.ref, signal);
    if (!box) throw new WrongAction(`expected the number of an element that is shown, but received [${id}]`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  private boxOfReference(page: Page, ref: string, signal: AbortSignal) {
    const element = page.locator(`aria-ref=${ref}`);
    const box = async () =>
      (await element.boundingBox({ timeout: boxMs })) ??
      (await element.evaluate(boxOfContent, null, { timeout: boxMs }));
    return this.session.call(() => box().catch(() => null), { signal });
  }

  private async add(signal: AbortSignal): Promise<Page> {
    return this.session.call(() => this.session.context.newPage(), { signal });
  }

  private async attempt(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    try {
      await this.session.call(work, { signal });
    } catch (error) {
      // The page may have closed itself after a click.
      if (this.front.isClosed() && !this.session.lost.aborted) return;
      throw asWrongAction(error, signal, ["LOST", "TIMEOUT"]);
    }
  }
}

/**
 * Converts the error of a failed action to a WrongAction for the agent. Returns the error unchanged if the session was
 * lost or the call was aborted.
 */
function asWrongAction(error: unknown, signal: AbortSignal, others: readonly string[] = ["LOST"]): unknown {
  const code = sandboxCode(error);
  if (signal.aborted || (code !== undefined && others.includes(code))) return error;
  const [line = ""] = (error as Error).message.split("\n");
  return new WrongAction(line);
}

/** A rectangle in CSS pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function boxOf(place: Place | undefined): Box | null {
  if (!place?.rect) return null;
  const [x, y, width, height] = place.rect;
  return { x, y, width, height };
}

async function type(
  page: Page,
  cdp: CDPSession,
  [x, y]: readonly [number, number],
  text: string,
  isEntered: boolean,
): Promise<void> {
  await page.mouse.click(x, y);
  const keys = [...text];
  if (keys.length > mostTyped) await page.keyboard.insertText(text);
  else if (await page.evaluate(isChoice).catch(() => false)) await typeAtOnce(cdp, keys);
  else await page.keyboard.type(text);
  if (isEntered) await page.keyboard.press("Enter");
}

/**
 * Types keys without waiting for the reply to each key event. A select list treats letters as the start of one entry
 * only if they arrive within a second of each other. On a busy machine, keys that are awaited one by one can arrive too
 * late.
 */
async function typeAtOnce(cdp: CDPSession, keys: readonly string[]): Promise<void> {
  await Promise.all(
    keys.flatMap((key) => [
      cdp.send("Input.dispatchKeyEvent", { type: "keyDown", key, text: key, unmodifiedText: key }),
      cdp.send("Input.dispatchKeyEvent", { type: "keyUp", key }),
    ]),
  );
}
