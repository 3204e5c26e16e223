/** Chromium with what a picture needs: no animation, one font on each machine that has it, light or dark. */
import { type Browser, chromium, type Page } from "playwright";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { makeSteady } from "./steady.js";

export type Scheme = "light" | "dark";
export const schemes: readonly Scheme[] = ["light", "dark"];

/** Fonts of the pictures. Debian's packages fonts-liberation and fonts-dejavu-core have the first and the second of each list. */
export const fonts = {
  text: '"Liberation Sans", "DejaVu Sans", sans-serif',
  mono: '"Liberation Mono", "DejaVu Sans Mono", monospace',
};

const style = `
  :root { --mono: ${fonts.mono}; }
  :root, button, input, select, textarea { font-family: ${fonts.text} !important; }
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
  ::-webkit-scrollbar { display: none; }
`;

export async function openBrowser(): Promise<Browser> {
  // Chromium's own sandbox does not work for root.
  const isRoot = process.getuid?.() === 0;
  // Glyphs are drawn alike whatever the machine's screen is set to.
  const args = ["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"];
  return chromium.launch({ executablePath: await findBrowser(), chromiumSandbox: !isRoot, args });
}

interface View {
  readonly scheme: Scheme;
  readonly width: number;
  readonly height: number;
}

/** Paints the page as a whole, since text that was painted in parts, as it was loaded, may differ in single pixels. */
const paintAnew = `new Promise((done) => {
  document.body.style.display = "none";
  requestAnimationFrame(() => requestAnimationFrame(() => {
    document.body.style.display = "";
    requestAnimationFrame(() => requestAnimationFrame(done));
  }));
})`;

/** Opens an address, and waits until the page has what is to be seen. */
export async function openView(
  browser: Browser,
  url: string,
  { scheme, width, height }: View,
  isReady: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const page = await browser.newPage({
    ...{ viewport: { width, height }, deviceScaleFactor: 1.5, colorScheme: scheme, reducedMotion: "reduce" },
    // The studio's policy allows no style of ours.
    ...{ bypassCSP: true, locale: "en-GB", timezoneId: "UTC" },
  });
  await makeSteady(page);
  await page.goto(url);
  await page.addStyleTag({ content: style });
  await isReady(page);
  await page.evaluate("document.fonts.ready");
  await page.evaluate(paintAnew);
  return page;
}
