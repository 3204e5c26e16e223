/** A Search-R1 retrieval server for tests, with given documents and faults. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface RetrieveRequest {
  queries: string[];
  topk: number;
  return_scores: boolean;
}

type Answer = (request: RetrieveRequest, response: ServerResponse) => unknown;

/** Returns the documents for a query. */
export type Documents = (query: string) => { id?: string; contents: string }[];

export class TestRetrieveServer {
  readonly requests: RetrieveRequest[] = [];

  private constructor(readonly url: string) {}

  /** @param answer returns a body, or sends the reply itself and returns undefined */
  static async start(answer: Answer): Promise<TestRetrieveServer> {
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const asked = JSON.parse(text) as RetrieveRequest;
      started.requests.push(asked);
      const body = await answer(asked, response);
      if (body !== undefined) response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started = new TestRetrieveServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/retrieve`);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return started;
  }

  static giving(documents: Documents): Promise<TestRetrieveServer> {
    return TestRetrieveServer.start(({ queries, topk }) => ({
      result: queries.map((query) => {
        const found = documents(query).slice(0, topk);
        return found.map((document, at) => ({ document, score: found.length - at }));
      }),
    }));
  }
}
