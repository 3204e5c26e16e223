/** Anthropic's Messages: the same recorded calls as chat completions and responses. */
import { describe, expect, test } from "vitest";
import { chat, claim, type Invitation, type Messages, post, serve } from "./serving.js";
import { greedy, sent, toolModel, user } from "./tool-model.js";

const { model, evaluation, training } = await toolModel();

const { name, parameters } = sent.function;
const tool = { name, input_schema: parameters };

const urlOf = ({ anthropic_base_url }: Invitation) => `${anthropic_base_url}/v1/messages`;

async function ask(rollout: Invitation, messages: Messages, more: Record<string, unknown> = {}) {
  const request = { model: "claude", max_tokens: 90, messages, ...more };
  return post(`${urlOf(rollout)}?beta=true`, request, { "anthropic-version": "2023-06-01" });
}

interface StreamEvent {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: fields of any event
  [name: string]: any;
}

/** Reads a stream, whose events have their type as a name. */
async function streamed(rollout: Invitation, messages: Messages, more: object = {}): Promise<StreamEvent[]> {
  const response = await fetch(urlOf(rollout), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 90, stream: true, messages, ...more }),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const text = await response.text();
  return text
    .trim()
    .split("\n\n")
    .map((one) => {
      const [, type, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(one) ?? [];
      const event = JSON.parse(data) as StreamEvent;
      expect(event.type).toBe(type);
      return event;
    });
}

/** Assembles a message from the events of a stream, as Anthropic's SDKs do. */
function assembled(events: StreamEvent[]) {
  const message = events[0]?.message;
  const json: string[] = [];
  for (const event of events.slice(1)) {
    if (event.type === "content_block_start") {
      expect(event.index).toBe(message.content.length);
      message.content.push(event.content_block);
    }
    const block = message.content[event.index];
    if (event.delta?.type === "text_delta") block.text += event.delta.text;
    if (event.delta?.type === "input_json_delta")
      json[event.index] = (json[event.index] ?? "") + event.delta.partial_json;
    if (event.type === "content_block_stop" && json[event.index]) block.input = JSON.parse(json[event.index] as string);
    if (event.type === "message_delta") Object.assign(message, event.delta, { usage: event.usage });
  }
  return message;
}

/** Removes what differs between two messages of equal content. */
function withoutIds({ content, stop_reason, usage }: StreamEvent) {
  const { input_tokens, cache_read_input_tokens, output_tokens } = usage;
  const blocks = content.map(({ id: _, ...block }: { id?: string }) => block);
  return { blocks, stop_reason, output_tokens, prompt: input_tokens + cache_read_input_tokens };
}

describe("a message", () => {
  test("has Anthropic's fields", async () => {
    const { rollout } = await evaluation();
    const { status, body } = await ask(rollout, [user("greet")]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: "message",
      role: "assistant",
      model: "palestra",
      content: [{ type: "text", text: "hello to you" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    expect(body.id).toMatch(/^msg_/);
    expect(body.usage.input_tokens).toBeGreaterThan(0);
  });

  test("samples the tokens of a chat completion with the same messages, tools and seed", async () => {
    const { rollout } = await evaluation();
    const sampling = { temperature: 1.5, seed: 5, max_tokens: 20 };
    const { body: completion } = await chat(rollout, [{ role: "system", content: "find" }, user("what")], {
      ...sampling,
      tools: [sent],
    });
    const system = [
      { type: "text", text: "fi" },
      { type: "text", text: "nd", cache_control: { type: "ephemeral" } },
    ];
    const { body } = await ask(rollout, [user("what")], { ...sampling, system, tools: [tool] });
    expect(body.content[0]?.text ?? "").toBe(completion.choices[0].message.content ?? "");
    expect(body.usage.output_tokens).toBe(completion.usage.completion_tokens);
    expect(body.usage.input_tokens + body.usage.cache_read_input_tokens).toBe(completion.usage.prompt_tokens);
  });

  test("contains uses of tools, and their results continue the same row", async () => {
    const { rollout, rows } = await training();
    const { body: first } = await ask(rollout, [user("find")], { tools: [tool] });
    expect(first).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "lookup", input: { shelf: "red" } }],
    });
    const [use] = first.content;
    // SDKs send blocks back with fields of their own, and with thinking that other models wrote.
    const said = [
      { type: "thinking", thinking: "x", signature: "y" },
      { ...use, caller: null, toolset_name: null },
    ];
    const result = { type: "tool_result", tool_use_id: use.id, content: [{ type: "text", text: "key" }] };
    const messages = [user("find"), { role: "assistant", content: said }, { role: "user", content: [result] }];
    const { body: second, headers } = await ask(rollout, messages, { tools: [tool] });
    expect(headers.get("x-palestra-ignored")).toBe("messages[].content[thinking]");
    expect(second.content).toEqual([{ type: "text", text: "key" }]);
    const { input_tokens, output_tokens } = first.usage;
    expect(second.usage.cache_read_input_tokens).toBe(input_tokens + output_tokens);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row?.steps.map(({ action }) => action)).toEqual([expect.stringContaining('"lookup"'), "key"]);
    expect(row?.mask.filter((one) => one === 1)).toHaveLength(output_tokens + second.usage.output_tokens);
    expect(row?.return).toBe(1);
  });

  test("with text after the results of tools has the prompt of messages of their own", async () => {
    const { rollout } = await evaluation();
    const uses = ["one", "two"].map((id) => ({ type: "tool_use", id, name: "lookup", input: { shelf: id } }));
    const results = uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: `red ${id}` }));
    const { body } = await ask(
      rollout,
      [
        user("both"),
        { role: "assistant", content: [{ type: "text", text: "hello" }, ...uses] },
        { role: "user", content: [...results, { type: "text", text: "gr" }, { type: "text", text: "eet" }] },
        { role: "system", content: "find" },
      ],
      { tools: [tool] },
    );
    const tool_calls = uses.map(({ id, input }) => ({
      ...{ id, type: "function" },
      function: { name, arguments: JSON.stringify(input) },
    }));
    const { body: completion } = await chat(
      rollout,
      [
        user("both"),
        { role: "assistant", content: "hello", tool_calls },
        ...results.map(({ tool_use_id, content }) => ({ role: "tool", tool_call_id: tool_use_id, content })),
        user("greet"),
        { role: "system", content: "find" },
      ],
      { tools: [sent] },
    );
    expect(completion.usage.prompt_tokens).toBe(body.usage.input_tokens);
    expect(completion.choices[0].message.content ?? "").toBe(body.content[0]?.text ?? "");
  });

  test("ends for the reason that it states", async () => {
    const { rollout } = await evaluation();
    const endOf = async (more: object, content = "greet") => {
      const { body } = await ask(rollout, [user(content)], more as Record<string, unknown>);
      return [body.stop_reason, body.stop_sequence, body.content.length];
    };
    expect(await endOf({ stop_sequences: ["zzz", " to"] })).toEqual(["stop_sequence", " to", 1]);
    expect(await endOf({ max_tokens: 1 })).toEqual(["max_tokens", null, 1]);
    expect(await endOf({ tools: [tool] }, "both")).toEqual(["tool_use", null, 3]);
    const one = { tools: [tool], tool_choice: { type: "auto", disable_parallel_tool_use: true } };
    expect(await endOf(one, "both")).toEqual(["tool_use", null, 2]);
    expect(await endOf({ tools: [tool], tool_choice: { type: "none" } })).toEqual(["end_turn", null, 1]);
  });

  test.each(["greet", "find", "both"])("that is streamed equals one that is not: %s", async (content) => {
    const { rollout } = await evaluation();
    const { body: whole } = await ask(rollout, [user(content)], { tools: [tool] });
    const events = await streamed(rollout, [user(content)], { tools: [tool] });
    expect([events[0]?.type, events.at(-2)?.type, events.at(-1)?.type]).toEqual([
      ...["message_start", "message_delta", "message_stop"],
    ]);
    expect(withoutIds(assembled(events))).toEqual(withoutIds(whole));
  });
});

describe("a rollout that mixes all protocols", () => {
  test("is one row, since each call continues the tokens of the call before it", async () => {
    const { rollout, client, rows } = await training();
    const { body: first } = await ask(rollout, [user("find")], { tools: [tool] });
    const [use] = first.content;
    const flat = { type: "function" as const, name, parameters, strict: false };
    const second = await client.responses.create({
      model: "m",
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: use.id, output: "key" }],
      tools: [flat],
    });
    expect(second.output_text).toBe("key");
    const messages = [
      user("find"),
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: use.id, function: { name, arguments: '{"shelf": "red"}' } }],
      },
      { role: "tool", tool_call_id: use.id, content: "key" },
      { role: "assistant", content: "key" },
      user("greet"),
    ];
    const { body: third } = await chat(rollout, messages, { tools: [sent] });
    const lengths = [first.usage.input_tokens + first.usage.output_tokens, second.usage?.total_tokens];
    const kept = [second.usage?.input_tokens_details.cached_tokens, third.usage.prompt_tokens_details.cached_tokens];
    expect(kept).toEqual(lengths);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row?.steps).toHaveLength(3);
    expect([...(row?.tokens ?? [])]).toEqual([...third.prompt_token_ids, ...third.choices[0].token_ids]);
    const last = third.choices[0].logprobs.content.map(({ logprob }: { logprob: number }) => Math.fround(logprob));
    expect([...(row?.logprobs.slice(-last.length) ?? [])]).toEqual(last);
    expect(last.some((logprob: number) => logprob < 0)).toBe(true);
  });
});

describe("the count of tokens", () => {
  test("equals the tokens of the prompt, and records no call", async () => {
    const { rollout, url } = await evaluation();
    const asked = { model: "m", system: "find", tools: [tool], messages: [user("greet")] };
    const { body } = await post(`${urlOf(rollout)}/count_tokens`, asked);
    const { body: message } = await post(urlOf(rollout), { ...asked, max_tokens: 4 });
    expect(body).toEqual({ input_tokens: message.usage.input_tokens });
    const described = await (await fetch(`${url}/rollouts/${rollout.id}`)).json();
    expect((described as { calls: unknown[] }).calls).toHaveLength(1);
  });
});

describe("parameters of a message", () => {
  test("that have no effect are accepted and named in a header", async () => {
    const { rollout } = await evaluation();
    const content = [{ type: "text", text: "greet", cache_control: { type: "ephemeral" }, citations: null }];
    const { status, headers } = await ask(rollout, [{ role: "user", content }], {
      tools: [tool, { type: "web_search_20250305", name: "web_search", max_uses: 5 }],
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      context_management: { edits: [] },
      metadata: { user_id: "x" },
    });
    expect(status).toBe(200);
    expect(headers.get("x-palestra-ignored")?.split(", ").sort()).toEqual([
      ...["context_management", "messages[].content[].cache_control", "metadata", "output_config.effort"],
      ...["thinking", "tools[web_search_20250305]"],
    ]);
  });

  test.each([
    [{ tool_choice: { type: "any" } }, "tools"],
    [{ tools: [tool], tool_choice: { type: "tool", name: "other" } }, "tool_choice"],
    [{ output_config: { format: { type: "xml" } } }, "output_config.format.type"],
    [{ mcp_servers: [{ type: "url", url: "x", name: "y" }] }, "mcp_servers"],
    [{ messages: [{ role: "user", content: [{ type: "image", source: {} }] }] }, "messages[0].content[0].type"],
    [{ messages: [user("greet"), { role: "assistant", content: "hel" }] }, "messages"],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].role"],
    [{ messages: [] }, "messages"],
    [{ max_tokens: 0 }, "max_tokens"],
    [{ messages: [user("x ".repeat(300))] }, "messages"],
  ])("are refused in the form of Anthropic's API: %j", async (more, param) => {
    const { rollout } = await evaluation();
    const { status, body } = await ask(rollout, [user("greet")], more as Record<string, unknown>);
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: "error", error: { type: "invalid_request_error", param } });
    expect(body.error.message).toMatch(/expected .*but received/);
  });

  test("can come with the API key in the header x-api-key, which every route accepts", async () => {
    const { url } = await serve(model, { apiKey: "secret" }, greedy);
    const key = { "x-api-key": "secret" };
    const { body: rollout } = await post(`${url}/rollouts`, { task: "t", mode: "eval" }, key);
    const asked = { model: "m", max_tokens: 8, messages: [user("greet")] };
    expect((await post(urlOf(rollout), asked, key)).status).toBe(200);
    expect((await post(urlOf(rollout), asked, { authorization: "Bearer secret" })).status).toBe(200);
    for (const wrong of [{}, { "x-api-key": "other" }, { authorization: "secret" }]) {
      const { status, body } = await post(urlOf(rollout), asked, wrong as Record<string, string>);
      expect([status, body.error.type, body.error.code]).toEqual([401, "authentication_error", "invalid_api_key"]);
    }
  });

  test("name the state of the rollout and of the body in their errors", async () => {
    const { rollout, url } = await evaluation();
    const broken = await fetch(urlOf(rollout), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: "invalid_request" } }]);
    const unknown = await post(`${url}/rollouts/none/v1/messages`, {});
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "not_found_error"]);
    await post(`${url}/rollouts/${rollout.id}/end`, {});
    const ended = await ask(rollout, [user("greet")]);
    expect([ended.status, ended.body]).toMatchObject([410, { type: "error", error: { code: "rollout_ended" } }]);
  });

  test("of a stream that fails are followed by an event of the error", async () => {
    const { rollout, url, generator } = await evaluation();
    await generator.pause();
    const reading = streamed(rollout, [user("greet")]);
    while (generator.stats().waiting + generator.stats().running === 0)
      await new Promise((next) => setTimeout(next, 5));
    await post(`${url}/rollouts/${rollout.id}/end`, {});
    generator.resume();
    expect((await reading).at(-1)).toMatchObject({
      type: "error",
      error: { message: expect.stringContaining("ended during this call") },
    });
  });
});

describe("top_k and min_p", () => {
  test("restrict sampling in an evaluation", async () => {
    const { url } = await serve(model, {}, { ...greedy, maxNewTokens: 8 });
    const rollout = await claim(url, "task", "eval");
    const likeliest = (await chat(rollout, [user("what")])).body.choices[0].token_ids;
    const draw = async (more: object) => {
      const { body } = await chat(rollout, [user("what")], { temperature: 2, seed: 3, ...more });
      return body.choices[0].token_ids;
    };
    expect(await draw({})).not.toEqual(likeliest);
    expect(await draw({ top_k: -1, min_p: 0 })).toEqual(await draw({}));
    expect(await draw({ top_k: 1 })).toEqual(likeliest);
    expect(await draw({ min_p: 1 })).toEqual(likeliest);
    const { body } = await ask(rollout, [user("what")], { temperature: 2, top_k: 1, max_tokens: 8 });
    const { body: greedily } = await ask(rollout, [user("what")], { max_tokens: 8 });
    expect(body.content).toEqual(greedily.content);
  });

  test("other than the run's are refused in training, unless a setting overrides them", async () => {
    for (const sampling of ["refuse", "override"] as const) {
      const { url, seat } = await serve(model, {}, { sampling });
      seat().catch(() => {});
      const rollout = await claim(url);
      for (const [parameter, value] of Object.entries({ top_k: 5, min_p: 0.1 })) {
        const { status, body, headers } = await chat(rollout, [user("greet")], { [parameter]: value });
        if (sampling === "refuse") {
          expect([status, body.error.param, body.error.code]).toEqual([400, parameter, "unsupported_parameter"]);
        } else expect([status, headers.get("x-palestra-ignored")]).toEqual([200, parameter]);
      }
      const { status, headers } = await chat(rollout, [user("greet")], { top_k: -1, min_p: 0 });
      expect([status, headers.get("x-palestra-ignored")]).toEqual([200, null]);
    }
  });
});
