/** Watchers of a training run in the bench: a client with the requests of the studio's page, or the page itself. */
import type { Browser, Page } from "playwright";
import { launchChromium } from "../support/chromium.js";

const callMs = 30_000;
/** Pause of the page between two polls of a run whose train steps are shorter than two seconds, in milliseconds. */
const pauseMs = 1_000;

export interface Watcher {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const nobody: Watcher = { start: async () => {}, stop: async () => {} };

interface MetricsPage {
  readonly next: number;
  readonly mark: string | null;
  readonly total: number;
}

/** Makes the requests of an open page of a run: the gym's events, the run, and its metrics repeatedly. */
export class ClientWatcher implements Watcher {
  polls = 0;
  private stopped = new AbortController();
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly run: string,
  ) {}

  async start(): Promise<void> {
    this.stopped = new AbortController();
    const { signal } = this.stopped;
    const events = await fetch(`${this.url}/v1/events`, { signal });
    await json(`${this.url}/v1/runs/${this.run}`);
    const first = await this.load(0, null);
    this.work = Promise.all([read(events, signal), this.repeat(first, signal)]);
    // `stop` throws the error.
    this.work.catch(() => {});
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.work;
  }

  /** Loads the records from a given number on, in pages. */
  private async load(from: number, mark: string | null): Promise<MetricsPage> {
    const page = await metricsFrom(this.url, this.run, from, mark);
    return page.next < page.total ? this.load(page.next, page.mark) : page;
  }

  private async repeat(first: MetricsPage, signal: AbortSignal): Promise<void> {
    for (let page = first; !signal.aborted; this.polls++) {
      await paused(pauseMs, signal);
      if (!signal.aborted) page = await this.load(page.next, page.mark);
    }
  }
}

/** The browser is open all the time, since its start is not part of watching. */
export class PageWatcher implements Watcher {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly address: string,
  ) {}

  static async open(url: string, run: string): Promise<PageWatcher> {
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    return new PageWatcher(browser, page, `${url}/ui/#/runs/${run}`);
  }

  async start(): Promise<void> {
    await this.page.goto(this.address);
    await this.page.getByRole("slider", { name: "Success by train step" }).waitFor();
  }

  async stop(): Promise<void> {
    await this.page.goto("about:blank");
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** Reads the metrics of a run from a record on, as the page does. */
export function metricsFrom(url: string, run: string, from: number, mark: string | null): Promise<MetricsPage> {
  const query = new URLSearchParams({ from: String(from), ...(mark !== null && { mark }) });
  return json(`${url}/v1/runs/${run}/metrics?${query}`);
}

async function json<T>(url: string): Promise<T> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(callMs) });
  if (!reply.ok) throw new Error(`expected ${url} but received status ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** Reads a stream until it is aborted. */
async function read({ body }: Response, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of body ?? []);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
