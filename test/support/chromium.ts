/** The options with which tests and benches start Chromium. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";

export async function launchChromium(args: readonly string[] = []): Promise<Browser> {
  // Chromium's own sandbox does not work for root.
  const isRoot = process.getuid?.() === 0;
  const executablePath = await findBrowser();
  // Tests of the end of browsers would report Playwright's own folder for these files as left by the gym's browsers.
  const artifactsDir = mkdtempSync(join(tmpdir(), "palestra-test-artifacts-"));
  const browser = await chromium.launch({ executablePath, chromiumSandbox: !isRoot, args: [...args], artifactsDir });
  const clean = () => rmSync(artifactsDir, { recursive: true, force: true });
  process.once("exit", clean);
  browser.once("disconnected", () => {
    process.off("exit", clean);
    clean();
  });
  return browser;
}
