/** Browser sessions against a site of the test's own, on machines that have Chromium. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { BrowserProvider, type BrowserProviderOptions } from "#palestra/sandboxes/browser/browser-provider.js";
import { findBrowser } from "#palestra/sandboxes/browser/executable.js";
import type { BrowserRequest, BrowserSession } from "#palestra/sandboxes/browser.js";

/** Why there is none, or undefined where there is one. */
export const missing = await findBrowser().then(
  () => undefined,
  (error: Error) => error.message,
);

/** A test that needs Chromium. */
export function testBrowser(title: string, run: () => Promise<void>, timeoutMs = 90_000): void {
  test(
    title,
    async (context) => {
      if (missing) context.skip(missing);
      await run();
    },
    timeoutMs,
  );
}

/** A server on 127.0.0.1 that keeps what it was asked for. */
export interface Site {
  port: number;
  /** As an entry of a session's hosts. */
  host: string;
  url(path?: string): string;
  /** Paths, in the order in which they were asked for. */
  asked: string[];
}

type Answer = (incoming: IncomingMessage, reply: ServerResponse) => void;

/** @param answers by path: HTML, or what to do; any other path is an empty page */
export async function openSite(answers: Record<string, string | Answer> = {}): Promise<Site> {
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
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { port, host: `127.0.0.1:${port}`, asked, url: (path = "/") => `http://127.0.0.1:${port}${path}` };
}

/** A provider that is closed after the test. */
export function provide(options: BrowserProviderOptions = {}): BrowserProvider {
  const provider = new BrowserProvider({ browsers: 1, warmContexts: 0, ...options });
  onTestFinished(() => provider.close());
  return provider;
}

/** A session of a browser of its own, with its page. */
export async function openPage(request: BrowserRequest, provider = provide()) {
  const session = await provider.open(request);
  return { session, page: firstPage(session) };
}

export function firstPage(session: BrowserSession) {
  const [page] = session.context.pages();
  if (!page) throw new Error("expected a session with a page, but received none");
  return page;
}

/** Aborts when the session is lost, and gives its reason. */
export function lossOf(session: BrowserSession): Promise<unknown> {
  return new Promise((resolve) => {
    if (session.lost.aborted) resolve(session.lost.reason);
    session.lost.addEventListener("abort", () => resolve(session.lost.reason));
  });
}
