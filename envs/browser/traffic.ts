/** Whether the pages of a session have come to rest: what they still load, and what they still draw. */
import type { BrowserContext, Page, Request } from "playwright";

export interface SettleOptions {
  /** Milliseconds without a request. */
  quietMs?: number;
  /** Milliseconds after which a page counts as settled, whatever it does. */
  mostMs?: number;
}

const defaults = { quietMs: 50, mostMs: 3_000 } as const;

/** Requests that change what a page says. Pictures, fonts and streams do not. */
const counted = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);

const lookMs = 10;
const mostFrameMs = 250;

export class Traffic {
  /** Requests that have no answer yet, by page: those of a page that is closed are forgotten with it. */
  private readonly inFlight = new WeakMap<Page, Set<Request>>();
  private readonly changedAt = new WeakMap<Page, number>();

  constructor(context: BrowserContext) {
    const end = (request: Request) => this.note(request, (requests) => requests.delete(request));
    context.on("request", (request) => {
      if (counted.has(request.resourceType())) this.note(request, (requests) => requests.add(request));
    });
    context.on("requestfinished", end);
    context.on("requestfailed", end);
  }

  /** Settles once nothing was asked for a while and two frames are drawn, or the time is over. Never rejects. */
  async settled(page: Page, options: SettleOptions = {}): Promise<void> {
    const { quietMs = defaults.quietMs, mostMs = defaults.mostMs } = options;
    const until = performance.now() + mostMs;
    // What an action has set off is under way after a frame.
    await drawn(page, until);
    while (performance.now() < until) {
      if (this.isQuiet(page, quietMs)) {
        await drawn(page, until);
        if (this.isQuiet(page, quietMs)) return;
      }
      await sleep(lookMs);
    }
  }

  private isQuiet(page: Page, quietMs: number): boolean {
    const quietSince = this.changedAt.get(page) ?? Number.NEGATIVE_INFINITY;
    return (this.inFlight.get(page)?.size ?? 0) === 0 && performance.now() - quietSince >= quietMs;
  }

  private note(request: Request, change: (requests: Set<Request>) => void): void {
    const page = pageOf(request);
    if (!page) return;
    const requests = this.inFlight.get(page) ?? new Set();
    change(requests);
    this.inFlight.set(page, requests);
    this.changedAt.set(page, performance.now());
  }
}

/** The page that a request is for; undefined where its frame is gone. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

/** Waits for two animation frames, for so long as a page may hold them back. */
async function drawn(page: Page, until: number): Promise<void> {
  const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
  const mostMs = Math.min(mostFrameMs, until - performance.now());
  // A page that is leaving has no frames; the next look sees the one that comes.
  await Promise.race([page.evaluate(frames).catch(() => {}), sleep(Math.max(0, mostMs))]);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
