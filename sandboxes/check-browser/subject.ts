/** Opens sessions and local sites for the checks of a browser provider. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { WebSocketServer } from "ws";
import type { BrowserRequest, BrowserSession } from "../browser.js";
import { expectThat } from "../check-sandbox/expect.js";

export interface Opened {
  session: BrowserSession;
  /** First page of the session. */
  page: Page;
}

/** The provider under check. Sessions and sites that a check opens are closed after it. */
export interface BrowserSubject {
  open(request?: Partial<BrowserRequest>, signal?: AbortSignal): Promise<Opened>;
  /** Serves a site, as `serveSite` does. */
  serve(answers?: Readonly<Record<string, string | Answer>>): Promise<Site>;
}

export type BrowserChecks = Readonly<Record<string, (subject: BrowserSubject) => Promise<void>>>;

export type Answer = (incoming: IncomingMessage, reply: ServerResponse) => void;

/** A server on 127.0.0.1 that records its requests. */
export interface Site {
  port: number;
  /** Address `127.0.0.1:port`, for the list of a session's hosts. */
  host: string;
  url(path?: string): string;
  /** Requested paths in order. A WebSocket appears as `ws /path`. */
  asked: string[];
  close(): void;
}

/** @param answers HTML or a request handler by path; every other path is an empty page */
export async function serveSite(answers: Readonly<Record<string, string | Answer>> = {}): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((incoming, reply) => {
    const path = incoming.url ?? "";
    asked.push(path);
    const answer = answers[path.split("?")[0] as string] ?? "<title>page</title>";
    if (typeof answer === "function") return answer(incoming, reply);
    reply.setHeader("content-type", "text/html; charset=utf-8");
    reply.end(answer);
  });
  new WebSocketServer({ server }).on("connection", (socket, { url }) => {
    asked.push(`ws ${url}`);
    socket.on("message", (data) => socket.send(`echo ${data}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, host: `127.0.0.1:${port}`, asked, url: (path = "/") => `http://127.0.0.1:${port}${path}`, close };
}

/** Returns the page that a session starts with. */
export function firstPage(session: BrowserSession): Page {
  const [page] = session.context.pages();
  if (!page) throw new Error("The session has no page.");
  return page;
}

/** Runs a script in the page and returns `done` and its value, or `failed` and its error. */
export function attempt(page: Page, script: string): Promise<string> {
  return page.evaluate(`(async () => { ${script} })().then((done) => "done " + done, (error) => "failed " + error)`);
}

/** Checks that the session's page answers. */
export async function expectAnswering({ session, page }: Opened): Promise<void> {
  const answer = await session.call(() => page.evaluate("1 + 1"), { timeoutMs: 30_000 });
  expectThat(answer === 2, "a page that answers", answer);
}
