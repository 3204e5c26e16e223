import { describe, expect, onTestFinished, test, vi } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { type OpenAIOptions, OpenAIPolicy } from "#palestra/trainer/policy/openai.js";
import { openPolicy } from "#palestra/trainer/policy/policies.js";
import type { Conversation, Opening, Retry } from "#palestra/trainer/policy/policy.js";
import { type ChatServer, type Fault, serveChat } from "../support/chat-server.js";
import { tools } from "../support/tools.js";

const played = { environment: "textcraft@1", split: "test", index: 0, seed: 0 };
const opening: Opening = { played, prompt: "Craft.", tools: [], observation: "Goal: stairs.", seed: 5 };
const never = new AbortController().signal;
const quick = { backOff: { baseMs: 1, maxMs: 5 } };

function policyAt(server: ChatServer, options: Partial<OpenAIOptions> = {}): OpenAIPolicy {
  const policy = new OpenAIPolicy({ url: server.url, model: "tiny", ...quick, ...options });
  onTestFinished(() => policy.close());
  return policy;
}

/** A conversation with a server that gives the listed failures to its first requests, and then replies "fine". */
async function talkTo(faults: (Fault | undefined)[], options: Partial<OpenAIOptions> = {}) {
  const server = await serveChat({ say: () => "fine", fault: (n) => faults[n] });
  return { server, conversation: policyAt(server, options).converse(opening) };
}

function reply(conversation: Conversation, observation?: string) {
  return conversation.reply(observation, never);
}

describe("a conversation", () => {
  test("is the prompt, then observations and replies in turn", async () => {
    const server = await serveChat({ say: ({ messages }) => `reply ${messages.length}` });
    const conversation = policyAt(server).converse(opening);
    expect(await reply(conversation)).toEqual({ text: "reply 2", finish: "stop", first: 0, end: 0 });
    await reply(conversation, "You got it.");
    expect(server.requests.at(-1)).toMatchObject({
      model: "tiny",
      max_tokens: 512,
      messages: [
        { role: "system", content: "Craft." },
        { role: "user", content: "Goal: stairs." },
        { role: "assistant", content: "reply 2" },
        { role: "user", content: "You got it." },
      ],
    });
    expect(conversation.usage?.()).toMatchObject({ requests: 2, completionTokens: 16 });
    expect(conversation.tokens()).toBeUndefined();
  });

  test("can begin like AgentGym's conversations", async () => {
    const server = await serveChat({ say: () => "fine" });
    await reply(policyAt(server, { dialogue: "agentgym" }).converse(opening));
    expect(server.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("samples by its seed and turn, the same each time", async () => {
    const server = await serveChat({ say: () => "fine" });
    const policy = policyAt(server);
    for (const seed of [5, 5, 6]) {
      const conversation = policy.converse({ ...opening, seed });
      await reply(conversation);
      await reply(conversation, "more");
    }
    const seeds = server.requests.map(({ seed }) => seed);
    expect(seeds.slice(0, 2)).toEqual(seeds.slice(2, 4));
    expect(new Set(seeds).size).toBe(4);
  });

  test("sends the API key of the environment variable, if it is set", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await serveChat({ say: () => "fine" });
    vi.stubEnv("OPENAI_API_KEY", "sk-test");
    await reply(policyAt(server).converse(opening));
    vi.stubEnv("OPENAI_API_KEY", undefined);
    await reply(policyAt(server).converse(opening));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-test", undefined]);
  });
});

describe("function calling", () => {
  const call = (id: string, name: string, given: unknown) => ({
    id,
    type: "function",
    function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
  });
  const get = call("call_7", "get", { count: 2, item: "oak log" });
  const offering = { ...opening, tools, offered: tools };
  const { read } = actionFormat("tool_call");

  test("offers the tools, and calls are in OpenAI's format in both directions", async () => {
    const server = await serveChat({ say: () => ({ content: null, tool_calls: [get] }) });
    const conversation = policyAt(server).converse(offering);
    const { text } = await reply(conversation);
    expect(read(text, tools)).toEqual({ action: "get 2 oak log" });
    await reply(conversation, "Got 2 oak log");
    expect(server.requests[0]?.tools).toMatchObject([
      { type: "function", function: { name: "get", parameters: { required: ["count", "item"] } } },
      { function: { name: "craft" } },
      { function: { name: "inventory" } },
    ]);
    expect(server.requests[1]?.messages.slice(2)).toEqual([
      { role: "assistant", content: null, tool_calls: [get] },
      { role: "tool", tool_call_id: "call_7", content: "Got 2 oak log" },
    ]);
  });

  test("answers each of several calls, which are refused together", async () => {
    const tool_calls = [get, call("call_8", "inventory", {})];
    const server = await serveChat({ say: () => ({ content: "Both.", tool_calls }) });
    const conversation = policyAt(server).converse(offering);
    const reading = read((await reply(conversation)).text, tools);
    expect(reading).toEqual({ refusal: expect.stringContaining("but received 2") });
    await reply(conversation, "refused");
    expect(server.requests[1]?.messages.slice(3).map(({ tool_call_id }) => tool_call_id)).toEqual(["call_7", "call_8"]);
  });

  test("refuses arguments that are not JSON, and does not send them back to the server", async () => {
    const server = await serveChat({
      say: () => ({ content: "", tool_calls: [call("call_7", "get", '{"count": 2')] }),
    });
    const conversation = policyAt(server).converse(offering);
    expect(read((await reply(conversation)).text, tools)).toEqual({ refusal: expect.stringContaining("as JSON") });
    await reply(conversation, "refused");
    expect(server.requests[1]?.messages[2]).toMatchObject({ tool_calls: [{ function: { arguments: "{}" } }] });
  });

  test("a reply without a call is answered by a user message", async () => {
    const server = await serveChat({ say: () => "I wonder." });
    const conversation = policyAt(server).converse(offering);
    expect(read((await reply(conversation)).text, tools)).toEqual({
      refusal: expect.stringContaining("received none"),
    });
    await reply(conversation, "refused");
    expect(server.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "refused" });
  });

  test("offers no tools in other formats", async () => {
    const server = await serveChat({ say: () => "fine" });
    await reply(policyAt(server).converse({ ...opening, tools }));
    expect(server.requests[0]).not.toHaveProperty("tools");
  });
});

describe("token ids", () => {
  test("make up a trajectory, token for token, with log-probabilities and versions", async () => {
    const server = await serveChat({ say: ({ messages }) => (messages.length === 2 ? "ab" : "c") });
    const policy = policyAt(server, { tokenIds: true });
    const conversation = policy.converse(opening);
    const first = await reply(conversation);
    policy.version = 4;
    const second = await reply(conversation, "Got it.");
    const tokens = conversation.tokens();
    const text = String.fromCharCode(...(tokens?.tokens ?? [])).replaceAll("\u0003", "|");
    expect(text).toBe("system:Craft.|user:Goal: stairs.|assistant:ab|user:Got it.|assistant:c|");
    const sampled = (from: number, to: number) => String.fromCharCode(...(tokens?.tokens.slice(from, to) ?? []));
    expect(sampled(first.first, first.end)).toBe("ab\u0003");
    expect(sampled(second.first, second.end)).toBe("c\u0003");
    expect([...(tokens?.mask ?? [])].filter((mask) => mask === 1)).toHaveLength(5);
    expect([...(tokens?.versions ?? [])].filter((version) => version >= 0)).toEqual([0, 0, 0, 4, 4]);
    expect(tokens?.logprobs[first.first]).toBeCloseTo(-0.097);
    expect(policy.drifted).toBe(0);
  });

  test("that change earlier tokens make the trajectory invalid, and are counted", async () => {
    const rewrite = (ids: number[], { messages }: { messages: unknown[] }) =>
      messages.length > 2 ? ids.slice(1) : ids;
    const server = await serveChat({ say: () => "fine", rewrite });
    const policy = policyAt(server, { tokenIds: true });
    const conversation = policy.converse(opening);
    await reply(conversation);
    await reply(conversation, "Got it.");
    expect(conversation.tokens()).toBeUndefined();
    expect(policy.drifted).toBe(1);
  });
});

describe("a server that", () => {
  test.each<[string, Fault]>([
    ["refuses with 429", { status: 429 }],
    ["fails with 500", { status: 500 }],
    ["answers with garbage", "garbage"],
    ["answers with JSON that is no completion", { status: 200, body: '{"choices": []}' }],
    ["drops the connection", "reset"],
    ["stalls", "stall"],
  ])("%s is tried again", async (_, fault) => {
    const { server, conversation } = await talkTo([fault, fault], { timeoutMs: fault === "stall" ? 3_000 : 30_000 });
    expect((await reply(conversation)).text).toBe("fine");
    expect(server.requests).toHaveLength(3);
    expect(conversation.usage?.().requests).toBe(3);
  });

  test("names a time for a retry is not tried before", async () => {
    const { conversation } = await talkTo([{ status: 429, headers: { "retry-after": "0.3" } }]);
    const started = performance.now();
    await reply(conversation);
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  test("does not recover is given up as a failure that may pass", async () => {
    const { server, conversation } = await talkTo(Array(9).fill({ status: 503, body: "overloaded" }), { retries: 2 });
    await expect(reply(conversation)).rejects.toMatchObject({
      code: "POLICY_REFUSED",
      retryable: true,
      message: `expected status 200 from ${server.url}/chat/completions, but received 503: overloaded`,
    });
    expect(server.requests).toHaveLength(3);
  });

  test("refuses permanently is not tried again", async () => {
    const { server, conversation } = await talkTo([{ status: 401, body: "no such key" }]);
    await expect(reply(conversation)).rejects.toMatchObject({ code: "POLICY_REFUSED", retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Fault, RegExp]>([
    ["knows no such key", { status: 401, body: '{"error": {"message": "no such key"}}' }, /received 401: no such key$/],
    ["wants money", { status: 402, body: '{"detail": "no credit"}' }, /received 402: no credit$/],
    ["forbids it", { status: 403, body: "no" }, /received 403: no$/],
    ["has no such route", { status: 404, body: "<html>" }, /received 404: <html>; it serves the models tiny, small$/],
    [
      "sends requests elsewhere",
      { status: 307, headers: { location: "http://127.0.0.1:1/v1" } },
      /received 307, a redirect, which is not followed\. Use the address in the redirect$/,
    ],
    ["has a spent quota", { status: 429, body: '{"error": {"code": "insufficient_quota"}}' }, /received 429/],
    ["has no such model", { status: 400, body: '{"message": "Invalid model name"}' }, /received 400: Invalid model/],
  ])("%s fails every request with the reason", async (_, fault, message) => {
    const { server, conversation } = await talkTo([fault]);
    await expect(reply(conversation)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      retryable: false,
      facts: { isFatal: true, status: (fault as { status: number }).status },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("refuses one input fails only that request", async () => {
    const { conversation } = await talkTo([undefined, { status: 403 }]);
    await reply(conversation);
    await expect(reply(conversation, "bad words")).rejects.toMatchObject({
      retryable: false,
      facts: { isFatal: false },
    });
  });

  test("is tried again is reported with the reason and the wait", async () => {
    const heard: Retry[] = [];
    const onRetry = (retry: Retry) => void heard.push(retry);
    const faults: Fault[] = [{ status: 429, headers: { "retry-after": "0.2" } }, { status: 500 }, "stall", "garbage"];
    const { conversation } = await talkTo(faults, { onRetry, timeoutMs: 3_000 });
    await reply(conversation);
    expect(heard.map(({ brief }) => brief)).toEqual([
      "429",
      "500",
      "no reply within 3 s",
      "a reply without a completion",
    ]);
    expect(heard[0]?.waitMs).toBe(200);
  });

  test.each<[string, Fault, RegExp]>([
    ["fails", { status: 500, body: "boom" }, /^no request to .+ has succeeded in \d+ s: .+ received 500: boom$/],
    ["drops connections", "reset", /^no request to .+ has succeeded in \d+ s: expected a reply/],
  ])("%s from the first request on is given up before its retries are used up", async (_, fault, message) => {
    const { server, conversation } = await talkTo(Array(99).fill(fault), {
      firstReplyMs: 500,
      retries: 50,
      backOff: { baseMs: 100, maxMs: 5_000 },
    });
    await expect(reply(conversation)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      retryable: false,
      facts: { isFatal: true },
    });
    expect(server.requests.length).toBeLessThan(10);
  });

  test("has answered before is given all its retries", async () => {
    const faults = [undefined, ...Array(4).fill({ status: 500 })];
    const { server, conversation } = await talkTo(faults, { firstReplyMs: 1, retries: 3 });
    await reply(conversation);
    await expect(reply(conversation, "more")).rejects.toMatchObject({ retryable: true });
    expect(server.requests).toHaveLength(5);
  });

  test("has no room for a longer conversation ends it", async () => {
    const body = '{"error": {"code": "context_length_exceeded"}}';
    const { conversation } = await talkTo([{ status: 400, body }]);
    expect(await reply(conversation)).toMatchObject({ finish: "context", text: "" });
  });

  test("wants the newer name of the limit gets it from then on", async () => {
    const body = '{"error": {"message": "Use max_completion_tokens instead of max_tokens."}}';
    const { server, conversation } = await talkTo([{ status: 400, body }]);
    await reply(conversation);
    await reply(conversation, "more");
    expect(server.requests.map((request) => "max_tokens" in request)).toEqual([true, false, false]);
  });

  test("does not run is reported as such", async () => {
    const policy = new OpenAIPolicy({ url: "http://127.0.0.1:9", model: "tiny", retries: 0 });
    await expect(reply(policy.converse(opening))).rejects.toMatchObject({
      code: "POLICY_UNREACHABLE",
      retryable: true,
    });
  });

  test("is slow has at most the allowed number of requests in flight", async () => {
    const server = await serveChat({ say: () => "fine", delayMs: 20 });
    const policy = policyAt(server, { concurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => reply(policy.converse(opening))));
    expect(server.peak()).toBe(3);
  });

  test("stalls is disconnected once the caller aborts", async () => {
    const { conversation } = await talkTo(["stall"]);
    const giveUp = new AbortController();
    const asked = conversation.reply(undefined, giveUp.signal);
    setTimeout(() => giveUp.abort(new Error("given up")), 50);
    await expect(asked).rejects.toThrow("given up");
  });
});

describe("policies by name", () => {
  const settings = {
    format: actionFormat("react"),
    dialogue: "system" as const,
    maxTokens: 10,
    timeoutMs: 100,
    concurrency: 1,
  };

  test.each([
    ["random", "random"],
    ["expert", "expert"],
    ["openai:http://127.0.0.1:8000/v1#Qwen/Qwen2.5-7B", "openai:http://127.0.0.1:8000/v1#Qwen/Qwen2.5-7B"],
  ])("%s", async (text, name) => {
    expect((await openPolicy(text, settings)).name).toBe(name);
  });

  test.each([
    [
      "chess",
      /expected one of the policies expert, random, native:FOLDER or native:FILE.gguf, openai:URL#model.*, but received "chess"/,
    ],
    ["native", /expected native:FOLDER or native:FILE.gguf, but received "native"/],
    ["random:7", /expected no argument after random, but received "7"/],
    ["openai:http://127.0.0.1:8000", /expected openai:URL#model, but received/],
    ["openai:host#model", /expected an http URL such as http:\/\/127.0.0.1:8000\/v1, but received "host"/],
  ])("%s is refused", async (text, message) => {
    await expect(openPolicy(text, settings)).rejects.toThrow(message);
  });
});
