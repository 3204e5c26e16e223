/** The conformance suite of browser providers, run on the Chromium of this machine. */
import { expect } from "vitest";
import { BrowserProvider } from "#palestra/sandboxes/browser/browser-provider.js";
import type { BrowserRequest, BrowserSession } from "#palestra/sandboxes/browser.js";
import { checkBrowser } from "#palestra/sandboxes/check-browser.js";
import type { SandboxCheckResult } from "#palestra/sandboxes/check-sandbox.js";
import { testBrowser } from "../../support/browsers.js";
import { eventually } from "../../support/gym.js";
import { processesWith } from "../../support/processes.js";

const suiteMs = 400_000;

async function resultsOf(provide: () => BrowserProvider, only?: RegExp): Promise<SandboxCheckResult[]> {
  const results: SandboxCheckResult[] = [];
  for await (const result of checkBrowser(async () => provide(), only)) results.push(result);
  return results;
}

testBrowser(
  "the browser provider passes the conformance suite and leaves no process behind",
  async () => {
    const results = await resultsOf(() => new BrowserProvider({ browsers: 1 }));
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(25);
    await eventually(() => processesWith(`palestra-browsers-${process.pid}-`).length === 0);
  },
  suiteMs,
);

/** A provider whose sessions do not enforce their list of hosts, their limits and their lifetime. */
class Faulty extends BrowserProvider {
  override async open(request: BrowserRequest, signal?: AbortSignal): Promise<BrowserSession> {
    const { dialogMs: _, lifetimeMs: __, ...rest } = request;
    const session = await super.open({ ...rest, mostPages: 8, mostDialogs: 40 }, signal);
    await session.context.unrouteAll();
    session.goto = async (page, url) => void (await page.goto(url));
    session.screenshot = async (page) => page.screenshot();
    return session;
  }
}

testBrowser(
  "a provider that does not enforce its limits fails the conformance suite",
  async () => {
    const unkept =
      /^(private addr|local files|windows beyond|endless alerts|a screenshot has|a session is lost at the end)/;
    const results = await resultsOf(() => new Faulty({ browsers: 1 }), unkept);
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(6).fill("failed"));
    const kept = await resultsOf(() => new Faulty({ browsers: 1 }), /^two sessions share neither/);
    expect(kept.map(({ outcome }) => outcome)).toEqual(["passed"]);
  },
  suiteMs,
);
