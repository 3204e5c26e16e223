/** The text of a browser session for a model: its tabs, and the page in front as an accessibility tree. */
import type { Page } from "playwright";
import type { BrowserSession } from "../../../sandboxes/browser.js";
import { type AxTextOptions, axText, type Place } from "./ax-text.js";
import { capture } from "./capture.js";

export interface Observation {
  /** A line of tabs, a blank line, and the tree. */
  text: string;
  /** What actions can name, by the number in brackets. */
  places: ReadonlyMap<string, Place>;
}

/** @throws {SandboxError} TIMEOUT, LOST @throws the signal's reason */
export async function observe(
  session: BrowserSession,
  page: Page,
  options: AxTextOptions,
  signal: AbortSignal,
): Promise<Observation> {
  const cdp = await session.cdp(page);
  const [tabs, { nodes, rectOf }] = await Promise.all([
    session.call(() => tabLine(session.context.pages(), page), { signal }),
    session.call(() => capture(cdp), { signal }),
  ]);
  const { text, places } = axText(nodes, rectOf, options);
  return { text: `${tabs}\n\n${text}`, places };
}

async function tabLine(pages: readonly Page[], current: Page): Promise<string> {
  const titles = await Promise.all(pages.map((page) => page.title().catch(() => "")));
  return titles.map((title, at) => `Tab ${at}${pages[at] === current ? " (current)" : ""}: ${title}`).join(" | ");
}
