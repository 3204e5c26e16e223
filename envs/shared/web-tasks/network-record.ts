/** Records the requests that an episode's pages send to the sites, for the evaluators. */
import type { BrowserContext, Request, Response } from "playwright";
import { isStatic, type NetworkEvent } from "./evaluators/verified/index.js";

/** Maximum number of recorded requests. At the limit, the oldest requests are deleted. */
const mostKept = 20_000;
/** Maximum number of characters of a recorded body. Longer bodies are recorded as null. */
const longestBody = 2 ** 20;

interface Entry {
  request: Request;
  response?: Response;
  /** Headers of the request. The browser reports them after the request. */
  headers: Promise<NetworkEvent["headers"]>;
  replyHeaders: Promise<NetworkEvent["responseHeaders"]>;
  replyText: Promise<string | null>;
}

export class NetworkRecord {
  private readonly entries = new Map<Request, Entry>();
  private readonly hosts: ReadonlySet<string>;

  /**
   * Starts recording.
   *
   * @param sites URLs of the episode's sites
   * @param areRepliesKept whether to record the bodies of replies
   */
  constructor(
    context: BrowserContext,
    sites: readonly string[],
    private readonly areRepliesKept: boolean,
  ) {
    this.hosts = new Set(sites.map((url) => new URL(url).host));
    context.on("request", (request) => this.begin(request));
    context.on("response", (response) => this.reply(response));
    context.on("requestfinished", (request) => this.finish(request));
  }

  /** Returns the requests in the order in which they were sent. */
  events(): Promise<NetworkEvent[]> {
    return Promise.all([...this.entries.values()].map(eventOf));
  }

  private begin(request: Request): void {
    const url = request.url();
    if (isStatic({ url }) || !URL.canParse(url) || !this.hosts.has(new URL(url).host)) return;
    const headers = Promise.resolve(request.headers());
    const nothing = { replyHeaders: Promise.resolve([]), replyText: Promise.resolve(null) };
    this.entries.set(request, { request, headers, ...nothing });
    const [oldest] = this.entries.keys();
    if (this.entries.size > mostKept && oldest) this.entries.delete(oldest);
  }

  private reply(response: Response): void {
    const entry = this.entries.get(response.request());
    if (!entry) return;
    entry.response = response;
    // If the page is closed before the headers arrive, Chromium no longer returns all headers.
    entry.headers = entry.request.allHeaders().catch(() => entry.request.headers());
    entry.replyHeaders = response.headersArray().catch(() => []);
  }

  /** Completes an entry. Reads the body immediately, because Chromium deletes it when the page navigates. */
  private finish(request: Request): void {
    const entry = this.entries.get(request);
    const type = entry?.response?.headers()["content-type"] ?? "";
    if (!this.areRepliesKept || !entry?.response || !/json|form/.test(type)) return;
    entry.replyText = entry.response.text().then(
      (text) => (text.length <= longestBody ? text : null),
      () => null,
    );
  }
}

async function eventOf({ request, response, headers, replyHeaders, replyText }: Entry): Promise<NetworkEvent> {
  return {
    url: request.url(),
    method: request.method(),
    headers: await headers,
    postData: request.postData(),
    status: response?.status() ?? -1,
    responseHeaders: await replyHeaders,
    responseText: await replyText,
  };
}
