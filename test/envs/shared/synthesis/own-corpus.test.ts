import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { modelAt, parseModel } from "#palestra/envs/shared/synthesis/model-endpoint.js";
import { type Outcome, questionsFromPages, type SourcePage } from "#palestra/envs/shared/synthesis/own-corpus.js";

const pages: SourcePage[] = [
  { id: "lamp", title: "Lamp", text: "The lamp was built by Orla Quist. It stands in Vell.", links: [{ id: "vell" }] },
  { id: "vell", title: "Vell", text: "Vell is a harbour town. Its river is the Sarn." },
];

interface Exchange {
  prompt: string;
  key: string | undefined;
}

let server: Server | undefined;

/** Starts an endpoint with scripted replies. A number is an error status. */
async function endpoint(reply: (prompt: string, at: number) => string | number) {
  const exchanges: Exchange[] = [];
  server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await bodyOf(request));
    const prompt = messages.at(-1).content as string;
    exchanges.push({ prompt, key: request.headers.authorization });
    const content = reply(prompt, exchanges.length);
    response.statusCode = typeof content === "number" ? content : 200;
    response.end(typeof content === "number" ? "busy" : JSON.stringify({ choices: [{ message: { content } }] }));
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { ask: modelAt({ url, model: "scripted", apiKey: "secret", firstDelayMs: 1 }), exchanges, url };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

const proposal = (fields: object) => `Here it is: ${JSON.stringify(fields)}`;
const both = {
  question: "Which river flows through the town where the work of Orla Quist stands?",
  answer: "the Sarn",
  quotes: ["It stands in Vell.", "Its river is the Sarn."],
};
const one = { question: "Which river flows through Vell?", answer: "Sarn", quotes: ["Its river is the Sarn."] };

/** A model that proposes questions for the shown pages and can answer only with the pages. */
function honest(prompt: string): string {
  if (prompt.includes("Reply with a JSON object")) {
    if (prompt.includes("# Lamp") && prompt.includes("# Vell")) return proposal(both);
    return prompt.includes("# Vell") ? proposal(one) : "I have no idea.";
  }
  return prompt.includes("# Vell") ? "Sarn." : "unknown";
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

describe("questions about a user's own pages", () => {
  test("are kept with their proof if the pages are necessary and sufficient", async () => {
    const { ask, exchanges } = await endpoint(honest);
    const outcomes = await questionsFromPages({ pages, ask, seed: 0, count: 3, mostAttempts: 40, concurrency: 1 });
    const kept = outcomes.flatMap(({ question }) => question ?? []);
    expect(kept).toHaveLength(3);
    for (const { metadata } of kept) {
      expect(metadata.proof.map(({ page }) => page)).toEqual(metadata.hops === 2 ? ["lamp", "vell"] : ["vell"]);
    }
    expect(exchanges[0]?.key).toBe("Bearer secret");
  });

  test.each([
    ["no JSON", "no", "the model's proposal was not the JSON object that it was asked for"],
    [
      "an answer in the question",
      proposal({ ...one, question: "Is it the Sarn?" }),
      "the question contains its answer",
    ],
    ["an invented quote", proposal({ ...one, quotes: ["Sarn is blue."] }), "a quote does not stand on the pages"],
    [
      "a quote beside the point",
      proposal({ ...one, answer: "Elbe", quotes: ["Vell is a harbour town."] }),
      "no quote contains the answer",
    ],
  ])("are dropped for %s", async (_, reply, reason) => {
    const { ask } = await endpoint(() => reply);
    const outcomes = await questionsFromPages({
      pages: [pages[1] as SourcePage],
      ask,
      seed: 0,
      count: 1,
      mostAttempts: 1,
    });
    expect(outcomes).toEqual([{ attempt: 0, dropped: reason }]);
  });

  test("are dropped if the model knows the answer without the pages", async () => {
    const { ask } = await endpoint((prompt) => (prompt.includes("JSON object") ? proposal(one) : "Sarn"));
    const [outcome] = await questionsFromPages({
      pages: [pages[1] as SourcePage],
      ask,
      seed: 0,
      count: 1,
      mostAttempts: 1,
    });
    expect(outcome?.dropped).toBe("it was answered without the pages");
  });

  test("are dropped if the pages do not lead to the answer", async () => {
    const { ask } = await endpoint((prompt) => (prompt.includes("JSON object") ? proposal(one) : "unknown"));
    const [outcome] = await questionsFromPages({
      pages: [pages[1] as SourcePage],
      ask,
      seed: 0,
      count: 1,
      mostAttempts: 1,
    });
    expect(outcome?.dropped).toBe("0 of 3 attempts with the pages gave the answer");
  });

  test("continue where an earlier run stopped", async () => {
    const { ask, exchanges } = await endpoint(honest);
    const seen: Outcome[] = [];
    const options = { pages, ask, seed: 5, mostAttempts: 60, concurrency: 2 };
    const earlier = await questionsFromPages({ ...options, count: 2, onOutcome: (outcome) => seen.push(outcome) });
    expect(seen).toEqual(earlier);
    const before = exchanges.length;
    const again = await questionsFromPages({ ...options, count: 2, earlier });
    expect(again).toEqual(earlier);
    expect(exchanges.length).toBe(before);
    const more = await questionsFromPages({ ...options, count: 4, earlier });
    expect(new Set(more.map(({ attempt }) => attempt)).size).toBe(more.length);
  });

  test("keep at most the requested number of attempts in flight", async () => {
    let inFlight = 0;
    let most = 0;
    const ask = async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((done) => setTimeout(done, 1));
      inFlight -= 1;
      return "no";
    };
    await questionsFromPages({ pages, ask, seed: 0, count: 5, mostAttempts: 30, concurrency: 3 });
    expect(most).toBe(3);
  });

  test("need pages with text", async () => {
    const ask = async () => "";
    const empty = [{ id: "a", title: "A", text: " " }];
    await expect(questionsFromPages({ pages: empty, ask, seed: 0, count: 1 })).rejects.toThrow(
      "expected pages with text",
    );
  });
});

describe("the model endpoint", () => {
  test("is retried after a transient failure", async () => {
    const { ask, exchanges } = await endpoint((_, at) => (at < 3 ? 503 : "fine"));
    expect(await ask([{ role: "user", content: "hello" }], { temperature: 0 })).toBe("fine");
    expect(exchanges).toHaveLength(3);
  });

  test("reports its status and its message if it refuses", async () => {
    const { ask, url } = await endpoint(() => 401);
    await expect(ask([{ role: "user", content: "hello" }], { temperature: 0 })).rejects.toThrow(
      `The endpoint at ${url} answered with status 401: busy. Set OPENAI_API_KEY to a key of that server.`,
    );
  });

  test("is specified as URL#model", () => {
    expect(parseModel("http://localhost:8000/v1/#m/7b")).toEqual({ url: "http://localhost:8000/v1", model: "m/7b" });
    expect(() => parseModel("localhost")).toThrow("expected URL#model");
  });

  test("that does not respond gives an error in one sentence", async () => {
    const ask = modelAt({ url: "http://127.0.0.1:1/v1", model: "m" });
    await expect(ask([{ role: "user", content: "hello" }], { temperature: 0 })).rejects.toThrow(
      "The endpoint at http://127.0.0.1:1/v1 did not answer",
    );
  });
});
