/** Browser sessions and local sites for tests, on machines with Chromium. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, onTestFinished, test } from "vitest";
import { BrowserProvider, type BrowserProviderOptions } from "#palestra/sandboxes/browser/browser-provider.js";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import type { BrowserRequest, BrowserSession } from "#palestra/sandboxes/browser.js";
import { firstPage, type Site, serveSite } from "#palestra/sandboxes/check-browser/subject.js";
import { processesWith } from "./processes.js";

/** Reason why there is no Chromium, or undefined if there is one. */
export const missing = await findBrowser().then(
  () => undefined,
  (error: Error) => error.message,
);

/** Returns Playwright's temporary folders that no running browser uses. Tests in other processes have browsers, too. */
export function unusedFolders(): string[] {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith("playwright"));
  return folders.filter((name) => processesWith(name).length === 0);
}

/** Declares a test that needs Chromium, and skips it otherwise. */
export function testBrowser(title: string, run: () => Promise<void>, timeoutMs = 240_000): void {
  test(
    title,
    async (context) => {
      if (missing) context.skip(missing);
      await run();
    },
    timeoutMs,
  );
}

/** Opens a site that is closed after the test. @param answers HTML or a request handler by path; every other path is an empty page */
export async function openSite(answers: Parameters<typeof serveSite>[0] = {}): Promise<Site> {
  const site = await serveSite(answers);
  onTestFinished(() => site.close());
  return site;
}

/** Makes a provider that is closed after the test. */
export function provide(options: BrowserProviderOptions = {}): BrowserProvider {
  const provider = new BrowserProvider({ browsers: 1, warmContexts: 0, ...options });
  onTestFinished(() => provider.close());
  return provider;
}

/**
 * Makes a provider that is closed after the last test of a file. A test file calls this outside of its tests. The start
 * of a browser takes a second of CPU time, so tests share one if they only look at pages.
 */
export function provideForFile(): BrowserProvider {
  const provider = new BrowserProvider({ browsers: 1, warmContexts: 0 });
  afterAll(() => provider.close());
  return provider;
}

/** Opens a session in a browser of its own, and returns it with its page. */
export async function openPage(request: BrowserRequest, provider = provide()) {
  const session = await provider.open(request);
  return { session, page: firstPage(session) };
}

/** Waits until the session is lost, and returns the reason. */
export function lossOf(session: BrowserSession): Promise<unknown> {
  return new Promise((resolve) => {
    if (session.lost.aborted) resolve(session.lost.reason);
    session.lost.addEventListener("abort", () => resolve(session.lost.reason));
  });
}

export { firstPage };
