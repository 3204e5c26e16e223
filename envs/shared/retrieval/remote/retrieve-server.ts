/**
 * A source that searches a retrieval server of Search-R1, dense or sparse: `POST /retrieve {queries, topk,
 * return_scores}` returns `{result}`, a list of documents for each query. Concurrent queries share a request, since the
 * server encodes queries in batches.
 */
import { z } from "zod";
import { ServiceFailed } from "../../../errors.js";
import { type PageWindow, type Passage, type Source, windowOf } from "../source.js";
import { askJson } from "./ask.js";
import { KeptPages } from "./kept-pages.js";

const document = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  title: z.string().optional(),
  contents: z.string(),
});
const found = z.union([
  z.object({ document, score: z.number() }),
  document.transform((one) => ({ document: one, score: 0 })),
]);
const reply = z.object({ result: z.array(z.array(found)) });

/** Maximum number of queries in a request. */
const mostTogether = 64;
/** Milliseconds that a query waits for others to share its request. */
const gatheringMs = 2;

interface Asked {
  query: string;
  k: number;
  resolve(passages: Passage[]): void;
  reject(error: unknown): void;
}

export class RetrieveServer implements Source {
  private readonly service: string;
  /** Recently found pages. Only these pages can be opened, since the server has no call for a page by id. */
  private readonly pages = new KeptPages();
  private readonly closed = new AbortController();
  private waiting: Asked[] = [];

  /** @param url URL of the server's `/retrieve` */
  constructor(private readonly url: string) {
    this.service = `the retrieval server at ${url}`;
  }

  search(query: string, k: number, signal: AbortSignal): Promise<Passage[]> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const found = new Promise<Passage[]>((resolve, reject) => this.waiting.push({ query, k, resolve, reject }));
    if (this.waiting.length === 1) setTimeout(() => this.send(), gatheringMs);
    return abortable(found, signal);
  }

  /** Opens a page from the cache of recently found pages. */
  async open(id: string, offset: number): Promise<PageWindow | null> {
    const page = this.pages.get(id);
    return page ? windowOf(page, offset) : null;
  }

  async close(): Promise<void> {
    this.closed.abort(new Error("The source is closed."));
  }

  private send(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += mostTogether) void this.ask(all.slice(from, from + mostTogether));
  }

  private async ask(batch: Asked[]): Promise<void> {
    const topk = Math.max(...batch.map(({ k }) => k));
    const body = { queries: batch.map(({ query }) => query), topk, return_scores: true };
    try {
      const answer = reply.safeParse(await askJson(this.service, { url: this.url, body }, this.closed.signal));
      if (!answer.success)
        throw new ServiceFailed(`${this.service} to reply with {result}`, z.prettifyError(answer.error));
      const { result } = answer.data;
      if (result.length !== batch.length)
        throw new ServiceFailed(
          `${this.service} to reply to ${batch.length} queries`,
          `results for ${result.length} queries`,
        );
      for (const [at, { k, resolve }] of batch.entries())
        resolve((result[at] as z.infer<typeof found>[]).slice(0, k).map((entry) => this.passage(entry)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private passage({ document: { id, title, contents }, score }: z.infer<typeof found>): Passage {
    const end = contents.indexOf("\n");
    const [first, rest] = end < 0 ? [contents, ""] : [contents.slice(0, end), contents.slice(end + 1)];
    const page = title === undefined ? { title: first, text: rest } : { title, text: contents };
    const found = { id: String(id ?? page.title), ...page };
    this.pages.keep({ ...found, links: [] });
    return { ...found, score };
  }
}

/** Returns a promise that settles like `promise`, or rejects with the signal's reason after an abort. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
