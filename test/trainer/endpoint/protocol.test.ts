/** The endpoint's protocol: OpenAI's shapes, read by OpenAI's own SDK, and refusals. */
import { request } from "node:http";
import type OpenAI from "openai";
import { APIError } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeDefaultModel } from "#palestra/trainer/data/default-model.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { OpenAIPolicy } from "#palestra/trainer/policy/openai.js";
import { temporaryFolder } from "../../native/tiny-models.js";
import { chat, claim, post, serve } from "./serving.js";
import { greedy, sent, texts, toolModel, user } from "./tool-model.js";

const { engine, model, evaluation } = await toolModel();

/** Sends a request without a body and with any `Host` header. Returns the status and the error's code. */
function answerTo(url: string, method: string, path: string, headers: Record<string, string>): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, { method, headers }, async (reply) => {
      const { error } = JSON.parse((await reply.toArray()).join(""));
      resolve([reply.statusCode, error?.code]);
    });
    asking.once("error", reject).end();
  });
}

describe("a completion", () => {
  test("has OpenAI's fields", async () => {
    const { client } = await evaluation();
    const reply = await client.chat.completions.create({ model: "gpt-4o", messages: [user("greet")], logprobs: true });
    expect(reply).toMatchObject({
      object: "chat.completion",
      model: "palestra",
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello to you", refusal: null } },
      ],
    });
    const { prompt_tokens, completion_tokens, total_tokens } = reply.usage as OpenAI.CompletionUsage;
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    const spelled = reply.choices[0]?.logprobs?.content as OpenAI.ChatCompletionTokenLogprob[];
    expect(spelled).toHaveLength(completion_tokens);
    expect(
      spelled
        .slice(0, -1)
        .map(({ token }) => token)
        .join(""),
    ).toBe("hello to you");
    expect(spelled.every(({ logprob }) => logprob <= 0)).toBe(true);
  });

  test("with tools contains calls, and the results continue the same row", async () => {
    const { client, rollout, url } = await evaluation();
    const messages: OpenAI.ChatCompletionMessageParam[] = [user("find")];
    const first = await client.chat.completions.create({ model: "m", messages, tools: [sent] });
    const [choice] = first.choices;
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    const [call] = (choice?.message.tool_calls ?? []) as OpenAI.ChatCompletionMessageFunctionToolCall[];
    expect(call?.function).toEqual({ name: "lookup", arguments: '{"shelf":"red"}' });
    // A framework sends the call back with other ids and other spaces.
    const said = {
      id: "mine",
      type: "function" as const,
      function: { name: "lookup", arguments: '{ "shelf": "red" }' },
    };
    messages.push(
      { role: "assistant", content: "", tool_calls: [said] },
      { role: "tool", tool_call_id: "mine", content: "key" },
    );
    const second = await client.chat.completions.create({ model: "m", messages, tools: [sent] });
    expect(second.choices[0]?.message.content).toBe("key");
    expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(first.usage?.total_tokens);
    expect((await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true })).body).toMatchObject({
      rows: 1,
    });
  });

  test("can have text and several calls; with parallel_tool_calls false it ends after the first call", async () => {
    const { client } = await evaluation();
    const create = (more: object) =>
      client.chat.completions.create({ model: "m", messages: [user("both")], tools: [sent], ...more, stream: false });
    const both = await create({});
    expect(both.choices[0]?.message.content).toBe("hello");
    expect(both.choices[0]?.message.tool_calls).toHaveLength(2);
    expect((await create({ parallel_tool_calls: false })).choices[0]?.message.tool_calls).toHaveLength(1);
  });

  test("that is streamed has the same text and tokens as one that is not", async () => {
    const { client, rollout } = await evaluation();
    for (const [asked, more] of [
      ["greet", {}],
      ["greet", { stop: [" you"] }],
      ["greet", { max_tokens: 2 }],
      ["find", { tools: [sent] }],
      ["both", { tools: [sent] }],
      ["greet", { tools: [sent] }],
    ] as const) {
      const { body: whole } = await chat(rollout, [user(asked)], more);
      const request = { model: "m", messages: [user(asked)], logprobs: true, return_token_ids: true, ...more };
      const stream = await client.chat.completions.create({
        ...(request as unknown as OpenAI.ChatCompletionCreateParamsStreaming),
        stream: true,
        stream_options: { include_usage: true },
      });
      // biome-ignore lint/suspicious/noExplicitAny: vLLM's fields beside OpenAI's
      const chunks: any[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const deltas = chunks.flatMap(({ choices }) => choices);
      const [choice] = whole.choices;
      const text = deltas.map(({ delta }) => delta.content ?? "").join("");
      expect(text).toBe(choice.message.content ?? "");
      const streamedCalls = deltas.flatMap(({ delta }) => delta.tool_calls ?? []);
      expect(streamedCalls.map((call) => call.function)).toEqual(
        (choice.message.tool_calls ?? []).map((call: { function: unknown }) => call.function),
      );
      expect(deltas.flatMap(({ token_ids }) => token_ids)).toEqual(choice.token_ids);
      expect(deltas.flatMap(({ logprobs }) => logprobs.content)).toEqual(choice.logprobs.content);
      expect(deltas.at(-1).finish_reason).toBe(choice.finish_reason);
      expect(chunks[0].prompt_token_ids).toEqual(whole.prompt_token_ids);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: whole.usage.completion_tokens } });
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    }
  });

  test("ends before a stop string, which stays in the row; at max_tokens the finish reason is `length`", async () => {
    const { client } = await evaluation();
    const create = (more: object) =>
      client.chat.completions.create({ model: "m", messages: [user("greet")], ...more, stream: false });
    expect((await create({ stop: " to" })).choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "hello" },
    });
    expect((await create({ max_completion_tokens: 1 })).choices[0]).toMatchObject({
      finish_reason: "length",
      message: { content: "hello" },
    });
  });

  test("is the same again with the same seed", async () => {
    const { client } = await evaluation();
    const draw = async (seed: number) => {
      const messages = [user("what")];
      const reply = await client.chat.completions.create({
        model: "m",
        messages,
        temperature: 1.5,
        seed,
        max_tokens: 20,
      });
      return reply.choices[0]?.message.content;
    };
    expect(await draw(7)).toBe(await draw(7));
    expect(await draw(-7)).not.toBe(await draw(7));
  });

  test("can be read by the trainer's own client of OpenAI-compatible servers, including the tokens", async () => {
    const { rollout } = await evaluation();
    const policy = new OpenAIPolicy({ url: rollout.base_url, model: "palestra", tokenIds: true, maxTokens: 16 });
    onTestFinished(() => policy.close());
    const played = { environment: "e@1", split: "s", index: 0, seed: 0 };
    const conversation = policy.converse({ played, prompt: "greet", observation: "greet", tools: [], seed: 1 });
    const { signal } = new AbortController();
    await conversation.reply(undefined, signal);
    await conversation.reply("greet", signal);
    expect(policy.drifted).toBe(0);
    expect(conversation.tokens()?.mask.includes(1)).toBe(true);
  });
});

describe("a parameter without an effect", () => {
  test("is accepted, and a header names it unless its value changes nothing", async () => {
    const { rollout } = await evaluation();
    const neutral = {
      ...{ n: 1, best_of: 1, frequency_penalty: 0, presence_penalty: 0, repetition_penalty: 1, length_penalty: 1 },
      ...{ top_k: -1, min_p: 0, min_tokens: 0, logit_bias: {}, stop_token_ids: [], chat_template_kwargs: {} },
      ...{ prediction: null, guided_json: null, vendor: null, response_format: { type: "text" } },
      tools: [{ ...sent, function: { ...sent.function, description: null } }],
    };
    const { body: bare, headers: none } = await chat(rollout, [user("greet")], { tools: [sent] });
    const { body, headers, status } = await chat(rollout, [user("greet")], neutral);
    expect([status, none.get("x-palestra-ignored"), headers.get("x-palestra-ignored")]).toEqual([200, null, null]);
    expect(body.choices).toEqual(bare.choices);
    expect(body.prompt_token_ids).toEqual(bare.prompt_token_ids);

    const content = [{ type: "text", text: "greet", cache_control: { type: "ephemeral" } }];
    const messages = [
      user("greet"),
      { role: "assistant", content: "hello to you", reasoning_content: "x", reasoning: null },
      { role: "user", content },
    ];
    const more = { reasoning_effort: "high", store: true, vendor: { deep: [] }, prediction: { type: "content" } };
    for (const stream of [false, true]) {
      const response = await fetch(`${rollout.base_url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "m", messages, stream, ...more, tools: [{ ...sent, eager: true }] }),
      });
      await response.text();
      expect(response.headers.get("x-palestra-ignored")?.split(", ").sort()).toEqual([
        ...["messages[].content[].cache_control", "messages[].reasoning_content", "prediction", "reasoning_effort"],
        ...["store", "tools[].eager", "vendor"],
      ]);
    }
  });

  test("can have a name of any length and characters, which the header shortens", async () => {
    const { rollout } = await evaluation();
    const names = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`ünknown\r\n${at}${"x".repeat(50)}`, 1]));
    const { status, headers } = await chat(rollout, [user("greet")], names);
    const header = headers.get("x-palestra-ignored") as string;
    expect([status, header.length]).toEqual([200, 2000]);
    expect(header).toMatch(/^\?nknown\?\?0x{50}, .*\.\.\.$/);
  });
});

describe("a refused request", () => {
  test.each([
    [{ n: 0 }, "n", "invalid_request"],
    [{ n: 129 }, "n", "invalid_request"],
    [{ top_logprobs: 3, logprobs: false }, "top_logprobs", "invalid_request"],
    [{ top_logprobs: 21, logprobs: true }, "top_logprobs", "invalid_request"],
    [{ frequency_penalty: 2.5 }, "frequency_penalty", "invalid_request"],
    [{ response_format: { type: "xml" } }, "response_format.type", "unsupported_parameter"],
    [{ tool_choice: "required" }, "tools", "invalid_request"],
    [
      { tools: [sent], tool_choice: { type: "function", function: { name: "other" } } },
      "tool_choice",
      "invalid_request",
    ],
    [{ repetition_penalty: 0 }, "repetition_penalty", "invalid_request"],
    [{ logit_bias: { 5: 101 } }, "logit_bias.5", "invalid_request"],
    [{ logit_bias: { five: 1 } }, "logit_bias.five", "invalid_request"],
    [{ logit_bias: { 99999999: 1 } }, "logit_bias.99999999", "invalid_request"],
    [{ guided_json: { not: {} } }, "guided_json", "invalid_request"],
    [{ guided_json: {}, guided_choice: ["a"] }, "guided_choice", "invalid_request"],
    [{ guided_grammar: "root ::= a" }, "guided_grammar", "unsupported_parameter"],
    [{ top_k: -2 }, "top_k", "invalid_request"],
    [{ min_p: 2 }, "min_p", "invalid_request"],
    [{ temperature: 3 }, "temperature", "invalid_request"],
    [{ max_tokens: 0 }, "max_tokens", "invalid_request"],
    [{ messages: [] }, "messages", "invalid_request"],
    [{ messages: undefined }, "messages", "invalid_request"],
    [
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] },
      "messages[0].content[0].type",
      "unsupported_parameter",
    ],
    [{ messages: [{ role: "wizard", content: "x" }] }, "messages[0].role", "unsupported_parameter"],
  ])("%j", async (more, param, code) => {
    const { rollout } = await evaluation();
    const { status, body } = await chat(rollout, [user("greet")], more);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: "invalid_request_error", param, code });
    expect(body.error.message).toMatch(/expected .*(but received|not supported)/);
  });

  test("gives an APIError in the SDK, and so does a failure in the middle of a stream", async () => {
    const { client, url, rollout, generator } = await evaluation();
    const error = await client.chat.completions
      .create({ model: "m", messages: [user("x ".repeat(300))] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 400, code: "context_length_exceeded", param: "messages" });
    await generator.pause();
    const stream = await client.chat.completions.create({ model: "m", messages: [user("greet")], stream: true });
    await post(`${url}/rollouts/${rollout.id}/end`, {});
    generator.resume();
    const read = async () => {
      for await (const chunk of stream) expect(chunk.choices[0]?.finish_reason).toBeNull();
    };
    await expect(read()).rejects.toThrow("ended during this call");
  });

  test("can have a temperature other than the run's in training, unless a setting overrides it", async () => {
    for (const sampling of ["refuse", "override"] as const) {
      const { url, seat } = await serve(model, {}, { sampling });
      seat().catch(() => {});
      const rollout = await claim(url);
      const { status, body } = await chat(rollout, [user("greet")], { temperature: 0.2 });
      expect(status).toBe(sampling === "refuse" ? 400 : 200);
      if (sampling === "refuse")
        expect(body.error).toMatchObject({ param: "temperature", code: "unsupported_parameter" });
      expect((await chat(rollout, [user("greet")], { temperature: 1, top_p: 1 })).status).toBe(200);
    }
  });

  test("can come from a foreign web page without an API key, even if the page's host name resolves to this machine", async () => {
    const { url } = await serve(model, {}, greedy);
    const keyed = await serve(model, { apiKey: "secret" }, greedy);
    const { host, port } = new URL(url);
    const foreign: Record<string, string>[] = [
      { host: `attacker.example:${port}` },
      { host: `attacker.example:${port}`, origin: `http://attacker.example:${port}` },
      { host: `127.0.0.1.attacker.example:${port}` },
      { host: `127.attacker.example:${port}` },
      { host, origin: "http://attacker.example" },
      { host, origin: "null" },
      { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ];
    for (const headers of foreign) {
      // A page can send this request without a preflight.
      expect([headers, await answerTo(url, "POST", "/rollouts", headers)]).toEqual([headers, [403, "origin_refused"]]);
      expect(await answerTo(url, "GET", "/status", headers)).toEqual([403, "origin_refused"]);
      const authorized = { ...headers, authorization: "Bearer secret" };
      expect(await answerTo(keyed.url, "GET", "/status", authorized)).toEqual([200, undefined]);
    }
    for (const own of [host, `localhost:${port}`, `[::1]:${port}`])
      expect(await answerTo(url, "GET", "/status", { host: own })).toEqual([200, undefined]);
  });

  test("can have a wrong API key, a wrong path, a wrong id or a body that is not JSON", async () => {
    const { url } = await serve(model, { apiKey: "secret" }, greedy);
    const authorization = { authorization: "Bearer secret" };
    expect((await post(`${url}/rollouts`, { task: "t" })).body.error).toMatchObject({ code: "invalid_api_key" });
    expect((await post(`${url}/rollouts`, { task: "t", mode: "eval" }, authorization)).body).toMatchObject({
      api_key: "secret",
    });
    const statusOf = async (path: string, body: unknown) => {
      const reply = await post(`${url}${path}`, body, authorization);
      return [reply.status, reply.body.error.code];
    };
    expect(await statusOf("/nowhere", {})).toEqual([404, "unknown_url"]);
    expect(await statusOf("/rollouts/none/v1/chat/completions", { model: "m", messages: [user("x")] })).toEqual([
      404,
      "rollout_not_found",
    ]);
    expect(await statusOf("/rollouts/none/reward", { reward: 1 })).toEqual([404, "rollout_not_found"]);
    expect(await statusOf("/rollouts", { task: 7 })).toEqual([400, "invalid_request"]);
    expect(await statusOf("/rollouts", { task: "t", mode: "play" })).toEqual([400, "unsupported_parameter"]);
    const response = await fetch(`${url}/rollouts`, {
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json", ...authorization },
    });
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      "invalid_request",
    ]);
  });

  test("can have tools that the model's template does not support", async () => {
    const plain = temporaryFolder();
    await writeDefaultModel(engine, buildTokenizer(texts), { hiddenSize: 64, layers: 1, context: 128 }, 1, plain);
    const { url } = await serve(await engine.loadModel(plain), {}, greedy);
    const { status, body } = await chat(await claim(url, "t", "eval"), [user("greet")], { tools: [sent] });
    expect([status, body.error.param, body.error.code]).toEqual([400, "tools", "unsupported_parameter"]);
    expect(body.error.message).toMatch(/^The model's chat template has no place for tools. Serve a model .*Qwen2.5/);
  });
});
