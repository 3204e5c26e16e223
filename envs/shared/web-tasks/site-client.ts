/** Sends HTTP requests to the sites of an episode, for checks and evaluators that do not need a browser page. */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { ServiceFailed } from "../../errors.js";

const answerMs = 60_000;
const mostRedirects = 10;
const mostBytes = 16 * 2 ** 20;

export interface Ask {
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

export interface Answer {
  /** URL after all redirects. */
  url: string;
  status: number;
  text: string;
}

export class SiteClient {
  /** @param addresses real address of each host, as in `BrowserRequest.addresses` */
  constructor(private readonly addresses: Readonly<Record<string, string>> = {}) {}

  /**
   * Sends a request. Follows redirects only within the site.
   *
   * @throws {ServiceFailed} the site does not answer
   * @throws the signal's reason
   */
  async ask(url: string, ask: Ask): Promise<Answer> {
    let address = url;
    for (let redirect = 0; redirect <= mostRedirects; redirect++) {
      const { status, text, location } = await this.once(address, ask);
      if (location === undefined || status < 300 || status > 399) return { url: address, status, text };
      const next = new URL(location, address);
      if (next.origin !== new URL(url).origin) return { url: next.href, status, text };
      address = next.href;
    }
    throw new ServiceFailed(`a page at ${url}`, `a chain of more than ${mostRedirects} redirects`);
  }

  /** @throws {ServiceFailed} the site does not answer, answers with an error status, or redirects to another site */
  async check(url: string, signal: AbortSignal): Promise<void> {
    const answer = await this.ask(url, { signal });
    if (answer.status >= 400) throw new ServiceFailed(`a site at ${answer.url}`, `status ${answer.status}`);
    if (answer.status < 300) return;
    throw new ServiceFailed(
      `a site at ${url} that does not redirect to another host`,
      `a redirect to ${answer.url}. Set the base URL in the site's own settings.`,
    );
  }

  private once(url: string, { method = "GET", headers = {}, body, signal }: Ask) {
    const { protocol, host, hostname, port, pathname, search } = new URL(url);
    const [, address, at] = /^(.*):(\d+)$/.exec(this.addresses[host] ?? "") ?? [];
    const place = address === undefined ? { hostname, port } : { hostname: address, port: at };
    const options = {
      ...place,
      method,
      path: pathname + search,
      headers: { ...headers, host },
      timeout: answerMs,
      signal,
    };
    return new Promise<{ status: number; text: string; location: string | undefined }>((resolve, reject) => {
      const fail = (error: Error) =>
        reject(signal.aborted ? signal.reason : new ServiceFailed(`a site at ${url}`, error.message, error));
      send(protocol === "https:", options, body).then(resolve, fail);
    });
  }
}

async function send(isSecure: boolean, options: RequestOptions, body: string | undefined) {
  const asking = (isSecure ? httpsRequest : httpRequest)(options);
  asking.once("timeout", () => asking.destroy(new Error(`no answer within ${answerMs} ms`)));
  asking.end(body);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.once("response", resolve);
    asking.once("error", reject);
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`an answer of more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString(), location: reply.headers.location };
}
