/** Tools of the checks of a browser provider: sessions, and sites of this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { WebSocketServer } from "ws";
import type { BrowserRequest, BrowserSession } from "../browser.js";
import { expectThat } from "../check-sandbox/expect.js";

export interface Opened {
  session: BrowserSession;
  /** The page that the session begins with. */
  page: Page;
}

/** The provider under check. What a check opens is closed after it. */
export interface BrowserSubject {
  open(request?: Partial<BrowserRequest>, signal?: AbortSignal): Promise<Opened>;
  /** @param answers by path: HTML, or what to do; any other path is an empty page */
  serve(answers?: Readonly<Record<string, string | Answer>>): Promise<Site>;
}

export type BrowserChecks = Readonly<Record<string, (subject: BrowserSubject) => Promise<void>>>;

export type Answer = (incoming: IncomingMessage, reply: ServerResponse) => void;

/** A server on 127.0.0.1 that keeps what it was asked for. */
export interface Site {
  port: number;
  /** As an entry of a session's hosts. */
  host: string;
  url(path?: string): string;
  /** Paths, in the order in which they were asked for. */
  asked: string[];
  close(): void;
}

/** @param answers by path: HTML, or what to do; any other path is an empty page */
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

/** The page that a session begins with. */
export function firstPage(session: BrowserSession): Page {
  const [page] = session.context.pages();
  if (!page) throw new Error("expected a session with a page, but received none");
  return page;
}

/** Runs a script that may fail in the page, and gives its value's or its error's text. */
export function attempt(page: Page, script: string): Promise<string> {
  return page.evaluate(`(async () => { ${script} })().then((done) => "done " + done, (error) => "failed " + error)`);
}

/** The session's page still answers. */
export async function expectAnswering({ session, page }: Opened): Promise<void> {
  const answer = await session.call(() => page.evaluate("1 + 1"), { timeoutMs: 30_000 });
  expectThat(answer === 2, "a page that answers", answer);
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
