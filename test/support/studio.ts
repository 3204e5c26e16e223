/** The studio in a real browser, on machines with Chromium. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { launchChromium } from "./chromium.js";
import { root } from "./server-process.js";

/** Reason why there is no Chromium, or undefined if there is one. */
export const missing = await findBrowser().then(
  () => undefined,
  (error: Error) => error.message,
);

/** Folder of the screenshots. Git ignores it; a CI run can keep it. */
const screenshots = join(root, ".palestra/screenshots");

/** Declares a test that needs Chromium, and skips it otherwise. */
export function testStudio(title: string, run: () => Promise<void>, timeoutMs = 240_000): void {
  test(
    title,
    async (context) => {
      if (missing) context.skip(missing);
      await run();
    },
    timeoutMs,
  );
}

export interface StudioOptions {
  width?: number;
  height?: number;
  /** Arguments of Chromium. */
  args?: readonly string[];
  /** Messages that the console may show as errors, such as those of a gym that the test stops. */
  expected?: RegExp;
}

/** The browsers of this process by their arguments. A start takes a second of CPU time, so that the tests share them. */
const browsers = new Map<string, Promise<Browser>>();

async function sharedBrowser(args: readonly string[]): Promise<Browser> {
  const key = args.join(" ");
  const known = browsers.get(key);
  if (known && (await known).isConnected()) return known;
  const launched = launchChromium(args);
  browsers.set(key, launched);
  launched.catch(() => browsers.delete(key));
  return launched;
}

/**
 * Opens a page with cookies and storage of its own, which is closed after the test. The test fails if the page throws, logs
 * an error, or breaks its content security policy.
 */
export async function openBrowser(options: StudioOptions = {}): Promise<Page> {
  const { width = 1_280, height = 800, args = [], expected } = options;
  const browser = await sharedBrowser(args);
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(100_000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !expected?.test(message.text())) problems.push(message.text());
  });
  onTestFinished(async () => {
    await page.context().close();
    expect(problems).toEqual([]);
  });
  return page;
}

/** Opens the studio of a gym. @param place such as `#/episodes` */
export async function openStudio(url: string, place = "", options: StudioOptions = {}): Promise<Page> {
  const page = await openBrowser(options);
  await page.goto(`${url}/ui/${place}`);
  await page.locator("main").waitFor();
  return page;
}

/** Saves a screenshot of the page under a name, for readers of a CI run. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

/** Expects that axe-core finds no serious and no critical problem of accessibility on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's policy allows no inline scripts, so the script is evaluated by the debugger.
  await page.evaluate(axe);
  const findings = await page.evaluate<Finding[]>("axe.run().then(({ violations }) => violations)");
  const serious = findings.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}
