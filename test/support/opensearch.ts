/**
 * OpenSearch for tests: a live node at the URL of PALESTRA_TEST_OPENSEARCH, or else the recorded answers of a node
 * (test/peers/record-opensearch.mjs). A test can inject faults before either.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface OpenSearchRequest {
  method: string;
  /** Path with the query string. */
  path: string;
  body: string;
  authorization: string | undefined;
}

export interface OpenSearchReply {
  status: number;
  /** Body as JSON. */
  body: string;
}

interface Exchange {
  request: string;
  reply: OpenSearchReply;
}

/** Returns a reply in place of the node, undefined to let the node answer, or null if it has ended the response itself. */
export type Fault = (
  request: OpenSearchRequest,
  answer: () => Promise<OpenSearchReply>,
  response: ServerResponse,
) => Promise<OpenSearchReply | null | undefined> | OpenSearchReply | null | undefined;

const live = process.env.PALESTRA_TEST_OPENSEARCH;
const isRecording = process.env.PALESTRA_RECORD_OPENSEARCH === "1";
const folder = fileURLToPath(new URL("../fixtures/opensearch/", import.meta.url));

/** Parts of a request that differ between runs: times in index names, build ids, dates. */
const passing = /\b\d{8}t\d{9}z\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g;

export class TestOpenSearch {
  readonly requests: OpenSearchRequest[] = [];
  url = "";
  fault: Fault | undefined;
  private readonly exchanges: Exchange[] = [];
  private readonly names = new Map<string, string>();

  private constructor(private readonly path: string) {}

  /** @param scenario name of the fixture, and of the only alias that the test may use on a live node */
  static async start(scenario: string): Promise<TestOpenSearch> {
    const node = new TestOpenSearch(`${folder}${scenario}.json`);
    if (live) await removeAll(scenario);
    else node.exchanges.push(...(JSON.parse(readFileSync(node.path, "utf8")) as Exchange[]));
    const server = createServer((request, response) => void node.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      if (live && isRecording) node.save();
      if (live) await removeAll(scenario);
    });
    return node;
  }

  /** Returns the number of requests of this kind so far. */
  count(path: RegExp): number {
    return this.requests.filter((one) => path.test(one.path)).length;
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await requestOf(incoming);
    this.requests.push(request);
    const answer = () => (live ? this.asked(request) : this.recorded(request));
    try {
      const reply = await this.fault?.(request, answer, response);
      if (reply === null) return;
      const { status, body } = reply ?? (await answer());
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
      response.end(request.method === "HEAD" ? undefined : body);
    } catch (error) {
      // A status that no test expects, with the unrecorded request.
      response.writeHead(418, { "content-type": "application/json" }).end(JSON.stringify(`${error}`));
    }
  }

  private async asked(request: OpenSearchRequest): Promise<OpenSearchReply> {
    const { method, path, body } = request;
    const type = path.includes("_bulk") ? "application/x-ndjson" : "application/json";
    const response = await fetch(`${live}${path}`, {
      method,
      ...(body !== "" && { body, headers: { "content-type": type } }),
    });
    const reply = { status: response.status, body: await response.text() };
    this.exchanges.push({
      request: this.lasting(requestLine(request)),
      reply: { ...reply, body: this.lasting(reply.body) },
    });
    return reply;
  }

  /** Returns the recorded replies to a request in order, and repeats the last one. */
  private async recorded(request: OpenSearchRequest): Promise<OpenSearchReply> {
    const line = this.lasting(requestLine(request));
    const at = this.exchanges.findIndex((one) => one.request === line);
    if (at < 0) throw new Error(`expected a request of the fixture, but received ${line}`);
    const { reply } = this.exchanges[at] as Exchange;
    const isLast = this.exchanges.filter((one) => one.request === line).length === 1;
    if (!isLast) this.exchanges.splice(at, 1);
    const actual = new Map([...this.names].map(([real, placeholder]) => [placeholder, real]));
    return { ...reply, body: reply.body.replace(/<passing \d+>/g, (name) => actual.get(name) ?? name) };
  }

  private lasting(text: string): string {
    return text.replace(passing, (real) => {
      if (!this.names.has(real)) this.names.set(real, `<passing ${this.names.size}>`);
      return this.names.get(real) as string;
    });
  }

  private save(): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.path, `${JSON.stringify(this.exchanges, null, 1)}\n`);
  }
}

async function requestOf(incoming: IncomingMessage): Promise<OpenSearchRequest> {
  let body = "";
  for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
  const { method = "GET", url: path = "/", headers } = incoming;
  return { method, path, body, authorization: headers.authorization };
}

function requestLine({ method, path, body }: OpenSearchRequest): string {
  return `${method} ${path} ${body}`;
}

/** Returns the indexes of a scenario that an earlier run has left. */
async function removeAll(scenario: string): Promise<void> {
  for (const name of [scenario, `${scenario}-*`]) await fetch(`${live}/${name}`, { method: "DELETE" });
}
