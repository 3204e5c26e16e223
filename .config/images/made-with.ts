/** The causes of differences between pictures: the version of Chromium, and the fonts that this machine has for the styles of text. */
import type { Browser } from "playwright";
import { fonts } from "./browser.js";

export interface MadeWith {
  readonly chromium: string;
  readonly fonts: readonly string[];
}

export async function madeWith(browser: Browser): Promise<MadeWith> {
  const page = await browser.newPage();
  try {
    const texts = Object.values(fonts).map((family) => `<p style='font-family: ${family}'>Palestra</p>`);
    await page.setContent(texts.join(""));
    const session = await page.context().newCDPSession(page);
    await session.send("DOM.enable");
    await session.send("CSS.enable");
    const { root } = await session.send("DOM.getDocument");
    const { nodeIds } = await session.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "p" });
    const used = await Promise.all(nodeIds.map((nodeId) => session.send("CSS.getPlatformFontsForNode", { nodeId })));
    const names = used.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName));
    return { chromium: browser.version(), fonts: names };
  } finally {
    await page.close();
  }
}
