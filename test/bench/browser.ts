/** Compares the time until a browser session has painted its first page with that of a newly started Chromium. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Page } from "playwright";
import { BrowserProvider } from "#palestra/sandboxes/browser/browser-provider.js";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import { type BenchResult, median } from "./report.js";

export interface BrowserBenchOptions {
  /** Number of measured sessions. */
  rounds: number;
}

const page = `<!doctype html><title>page</title><h1>A page</h1><ul>${"<li><a href='/'>An entry</a></li>".repeat(100)}</ul>`;

/** Measures milliseconds from the request to the first paint, with a warm session and a cold launch in turn. */
export async function browserBench({ rounds }: BrowserBenchOptions): Promise<BenchResult[]> {
  const site = createServer((_, reply) => void reply.setHeader("content-type", "text/html").end(page));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const provider = new BrowserProvider({ browsers: 1, warmContexts: 2 });
  try {
    await warmRound(provider, host);
    const warm: number[] = [];
    const cold: number[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % 4 === 0) cold.push(await coldRound(host));
      warm.push(await warmRound(provider, host));
    }
    return results(warm, cold);
  } finally {
    await provider.close();
    site.close();
    site.closeAllConnections();
  }
}

function results(warm: readonly number[], cold: readonly number[]): BenchResult[] {
  const unit = "ms";
  return [
    { name: "browser: warm session to first paint, p50", value: median(warm), unit, target: "< 150" },
    { name: "browser: warm session to first paint, p99", value: quantile(warm, 0.99), unit },
    { name: "browser: cold launch to first paint, p50", value: median(cold), unit },
    {
      name: "browser: cold p50 over warm p50",
      value: median(cold),
      unit,
      baseline: median(warm),
      target: ">= 3",
    },
  ];
}

async function warmRound(provider: BrowserProvider, host: string): Promise<number> {
  // A pause between two sessions, as in training. Contexts are warmed up in it.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const begunAt = performance.now();
  const session = await provider.open({ hosts: [host] });
  const [first] = session.context.pages() as [Page];
  await session.goto(first, `http://${host}/`, { waitUntil: "commit" });
  await painted(first);
  const took = performance.now() - begunAt;
  await session.close();
  return took;
}

async function coldRound(host: string): Promise<number> {
  const begunAt = performance.now();
  const browser = await chromium.launch({ executablePath: await findBrowser() });
  const first = await browser.newPage();
  await first.goto(`http://${host}/`, { waitUntil: "commit" });
  await painted(first);
  const took = performance.now() - begunAt;
  await browser.close();
  return took;
}

/** Waits for the first paint of the page. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const done = () => performance.getEntriesByName("first-contentful-paint").length > 0 && resolve();
    new PerformanceObserver(done).observe({ type: "paint", buffered: true });
  })`);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
