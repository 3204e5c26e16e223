/** Chromium as tests and benches start it. */
import { type Browser, chromium } from "playwright";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";

export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  // Chromium's own sandbox does not work for root.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: await findBrowser(), chromiumSandbox: !isRoot, args: [...args] });
}
