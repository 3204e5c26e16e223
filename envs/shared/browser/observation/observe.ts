/** The observation of a browser session: the tabs, and the front page as text, as a picture, or as both. */
import type { CDPSession, Page } from "playwright";
import type { BrowserSession } from "../../../../sandboxes/browser.js";
import { ariaText } from "./aria-text.js";
import { type AxText, type AxTextOptions, axText, type Place } from "./ax-text.js";
import { capture } from "./capture.js";
import { markedPicture, markedPlaces } from "./marks.js";

/**
 * Kind of view. `tree` is the accessibility tree in WebArena's format. `aria` is Playwright's snapshot for models.
 * `screenshot` is the tree and a picture. `marks` is a picture with numbered elements, and the tree's lines for these
 * elements.
 */
export type ViewKind = "tree" | "aria" | "screenshot" | "marks";

export interface View extends Omit<AxTextOptions, "viewport"> {
  kind: ViewKind;
  viewport: { width: number; height: number };
  /** Whether the tree shows the whole page. If false, the tree shows only the viewport. */
  isWhole: boolean;
}

export interface Observation {
  /** One line with all tabs, followed by a blank line and the page. */
  text: string;
  /** Elements to which actions can refer, by the number in brackets. */
  places: ReadonlyMap<string, Place>;
  /** PNG of the viewport. */
  picture?: Uint8Array;
}

/**
 * Maximum number of elements on a page. A page with more elements is not shown. A larger tree would block the thread of
 * all sessions for too long.
 */
const mostElements = 20_000;
const elementCount = "document.getElementsByTagName('*').length";

/**
 * @throws {SandboxError} TIMEOUT, LOST
 * @throws the signal's reason
 */
export async function observe(
  session: BrowserSession,
  page: Page,
  view: View,
  signal: AbortSignal,
): Promise<Observation> {
  const [tabs, shown] = await Promise.all([tabLine(session, page, signal), read(session, page, view, signal)]);
  if (typeof shown === "string") return messageIn(tabs, shown);
  const text = `${tabs}\n\n${shown.text}`;
  if (view.kind === "marks") {
    const marks = markedPlaces(shown.places);
    const lines = [...marks.values()].map(({ line }) => line);
    const picture = await markedPicture(session, page, marks, signal);
    return { text: `${tabs}\n\n${lines.join("\n")}`, places: shown.places, picture };
  }
  const observation = { text, places: shown.places };
  if (view.kind !== "screenshot") return observation;
  return { ...observation, picture: await session.screenshot(page, { signal }) };
}

/** Returns the observation for a page that navigates again before each attempt to read it completes. */
export async function restless(session: BrowserSession, page: Page, signal: AbortSignal): Promise<Observation> {
  const tabs = await tabLine(session, page, signal);
  return messageIn(tabs, "The page loads again and again before it can be shown.");
}

/** Reads the page in front. Returns a message instead if the page has too many elements. */
async function read(session: BrowserSession, page: Page, view: View, signal: AbortSignal): Promise<AxText | string> {
  const cdp = await session.cdp(page);
  const { result } = await session.call(() => cdp.send("Runtime.evaluate", { expression: elementCount }), { signal });
  const elements = Number(result.value);
  if (elements > mostElements)
    return `The page has ${elements} elements. Pages of more than ${mostElements} are not shown.`;
  return view.kind === "aria" ? ariaOf(session, page, view, signal) : treeOf(session, cdp, view, signal);
}

function messageIn(tabs: string, text: string): Observation {
  return { text: `${tabs}\n\n${text}`, places: new Map() };
}

async function treeOf(session: BrowserSession, cdp: CDPSession, view: View, signal: AbortSignal): Promise<AxText> {
  const { nodes, rectOf } = await session.call(() => capture(cdp), { signal });
  return axText(nodes, rectOf, { ...view, viewport: view.isWhole ? undefined : view.viewport });
}

async function ariaOf(session: BrowserSession, page: Page, { viewport }: View, signal: AbortSignal): Promise<AxText> {
  return ariaText(await session.call(() => page.ariaSnapshot({ mode: "ai", boxes: true }), { signal }), viewport);
}

/**
 * Returns one line with the titles of all tabs. The titles are read through the DevTools protocol, like the tree,
 * because Playwright may still report the previous page's title.
 */
async function tabLine(session: BrowserSession, current: Page, signal: AbortSignal): Promise<string> {
  const pages = session.context.pages();
  const titles = await Promise.all(pages.map((page) => titleOf(session, page, signal)));
  return titles.map((title, at) => `Tab ${at}${pages[at] === current ? " (current)" : ""}: ${title}`).join(" | ");
}

async function titleOf(session: BrowserSession, page: Page, signal: AbortSignal): Promise<string> {
  const asked = session.cdp(page).then((cdp) => cdp.send("Runtime.evaluate", { expression: "document.title" }));
  // A tab may close while its title is read.
  return session.call(() => asked.then(({ result }) => String(result.value ?? "")).catch(() => ""), { signal });
}
