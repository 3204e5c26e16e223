/** The time until a page shows rows. */
import type { Page } from "playwright";

/** Returns the milliseconds from the start of the navigation until a frame with rows was painted. */
export async function firstRowMs(page: Page, url: string, row: string): Promise<number> {
  // The script is a text, since the page lacks the compiler's helpers.
  await page.addInitScript(`
    window.firstRow = new Promise((resolve) => {
      const look = () => {
        if (!document.querySelector(${JSON.stringify(row)})) return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      };
      look();
    });
  `);
  await page.goto(url);
  return page.evaluate<number>("firstRow");
}
