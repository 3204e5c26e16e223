/** OpenAI's Responses, read by OpenAI's own SDK: the same recorded calls as chat completions. */
import type OpenAI from "openai";
import { APIError } from "openai";
import { describe, expect, test } from "vitest";
import { chat, post } from "./serving.js";
import { sent, toolModel, user } from "./tool-model.js";

const { evaluation, training } = await toolModel();

const { name, parameters } = sent.function;
const tool = { type: "function" as const, name, parameters, strict: true };

type Response = OpenAI.Responses.Response;

function callsOf({ output }: Response): OpenAI.Responses.ResponseFunctionToolCall[] {
  return output.filter((item) => item.type === "function_call");
}

/** Returns the result of a call, as an agent sends it. */
function resultOf(response: Response, output = "key") {
  const [call] = callsOf(response);
  return { type: "function_call_output" as const, call_id: call?.call_id as string, output };
}

describe("a response", () => {
  test("has OpenAI's fields", async () => {
    const { client } = await evaluation();
    const include = ["message.output_text.logprobs" as const];
    const response = await client.responses.create({ model: "gpt-5", input: "greet", include });
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      model: "palestra",
      output_text: "hello to you",
      error: null,
      incomplete_details: null,
      output: [{ type: "message", role: "assistant", status: "completed" }],
    });
    const { input_tokens, output_tokens, total_tokens } = response.usage as OpenAI.Responses.ResponseUsage;
    expect(total_tokens).toBe(input_tokens + output_tokens);
    const [message] = response.output as [OpenAI.Responses.ResponseOutputMessage];
    const [text] = message.content as [OpenAI.Responses.ResponseOutputText];
    expect(text.logprobs).toHaveLength(output_tokens);
    expect(text.logprobs?.every(({ logprob }) => logprob <= 0)).toBe(true);
  });

  test("samples the tokens of a chat completion with the same messages, tools and seed", async () => {
    const { client, rollout } = await evaluation();
    const sampling = { temperature: 1.5, seed: 5, max_tokens: 20 };
    const system = { role: "system", content: "find" };
    const { body } = await chat(rollout, [system, user("what")], { ...sampling, tools: [sent] });
    const { max_tokens: max_output_tokens, ...same } = sampling;
    const tools = [{ ...tool, strict: false }];
    const asked = { model: "m", instructions: "find", input: "what", tools, max_output_tokens, ...same };
    const response = await client.responses.create(asked);
    expect(response.output_text).toBe(body.choices[0].message.content ?? "");
    expect(response.usage).toMatchObject({
      input_tokens: body.usage.prompt_tokens,
      output_tokens: body.usage.completion_tokens,
    });
  });

  test("contains calls, and their results continue the same row", async () => {
    const { client, rows } = await training();
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "find" }];
    const first = await client.responses.create({ model: "m", input, tools: [tool] });
    expect(first.output).toMatchObject([
      { type: "function_call", name: "lookup", arguments: '{"shelf":"red"}', status: "completed" },
    ]);
    // A framework sends the items back, and may leave out their ids.
    const [{ id: _, ...call }] = callsOf(first) as [OpenAI.Responses.ResponseFunctionToolCall];
    input.push(call, resultOf(first));
    const second = await client.responses.create({ model: "m", input, tools: [tool] });
    expect(second.output_text).toBe("key");
    expect(second.usage?.input_tokens_details.cached_tokens).toBe(first.usage?.total_tokens);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row?.steps.map(({ action }) => action)).toEqual([expect.stringContaining('"lookup"'), "key"]);
    expect(row?.mask.filter((one) => one === 1)).toHaveLength(
      (first.usage?.output_tokens ?? 0) + (second.usage?.output_tokens ?? 0),
    );
    expect(row?.return).toBe(1);
  });

  test("that is incomplete says so, and one with parallel_tool_calls false ends after the first call", async () => {
    const { client } = await evaluation();
    const cut = await client.responses.create({ model: "m", input: "greet", max_output_tokens: 1 });
    expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    const ask = (parallel_tool_calls: boolean) =>
      client.responses.create({ model: "m", input: "both", tools: [tool], parallel_tool_calls });
    const both = await ask(true);
    expect([both.output_text, callsOf(both).length]).toEqual(["hello", 2]);
    expect(callsOf(await ask(false))).toHaveLength(1);
  });

  test.each(["greet", "find", "both"])("that is streamed equals one that is not: %s", async (input) => {
    const { client } = await evaluation();
    const asked = { model: "m", input, tools: [tool], include: ["message.output_text.logprobs" as const] };
    const whole = await client.responses.create(asked);
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = client.responses.stream(asked);
    for await (const event of stream) events.push(event);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    const streamed = await stream.finalResponse();
    // The SDK assembles the response from the events; the last event contains it too.
    const last = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    expect([events[0]?.type, last.type]).toEqual(["response.created", "response.completed"]);
    for (const response of [streamed, last.response]) expect(withoutIds(response)).toEqual(withoutIds(whole));
    const deltas = events.flatMap((event) => (event.type === "response.output_text.delta" ? [event.delta] : []));
    expect(deltas.join("")).toBe(whole.output_text);
    const written = events.flatMap((event) =>
      event.type === "response.function_call_arguments.done" ? [event.arguments] : [],
    );
    expect(written).toEqual(callsOf(whole).map((call) => call.arguments));
  });

  test("continues an earlier one by previous_response_id, without its instructions", async () => {
    const { client, rollout, rows } = await training();
    const first = await client.responses.create({ model: "m", input: "find", tools: [tool] });
    const continued = { model: "m", input: [resultOf(first)], tools: [tool], previous_response_id: first.id };
    const second = await client.responses.create(continued);
    expect([second.output_text, second.previous_response_id]).toEqual(["key", first.id]);
    expect(second.usage?.input_tokens_details.cached_tokens).toBe(first.usage?.total_tokens);
    // Two responses can continue the same one, and a chat completion can be continued by its id.
    const third = await client.responses.create({ ...continued, input: [resultOf(first, "red")] });
    expect(third.usage?.input_tokens_details.cached_tokens).toBe(first.usage?.total_tokens);
    const { body } = await chat(rollout, [{ role: "system", content: "greet" }, user("greet")]);
    const fourth = await client.responses.create({ model: "m", input: "both", previous_response_id: body.id });
    expect(fourth.usage?.input_tokens_details.cached_tokens).toBe(body.usage.total_tokens);

    const instructed = await client.responses.create({ model: "m", instructions: "greet", input: "greet" });
    const bare = await client.responses.create({ model: "m", input: "greet" });
    const after = await client.responses.create({ model: "m", input: "find", previous_response_id: instructed.id });
    // Without the instructions the messages begin like those of the call without instructions.
    expect(after.usage?.input_tokens_details.cached_tokens).toBe(bare.usage?.total_tokens);
    expect((await rows()).length).toBeGreaterThan(1);
  });

  test("can refer to items of earlier responses by their ids", async () => {
    const { client } = await evaluation();
    const first = await client.responses.create({ model: "m", input: "both", tools: [tool] });
    const references = first.output.map(({ id }) => ({ type: "item_reference" as const, id: id as string }));
    const results = callsOf(first).map(({ call_id }) => ({
      type: "function_call_output" as const,
      call_id,
      output: "key",
    }));
    const input = [{ role: "user" as const, content: "both" }, ...references, ...results];
    const second = await client.responses.create({ model: "m", input, tools: [tool] });
    expect(second.usage?.input_tokens_details.cached_tokens).toBe(first.usage?.total_tokens);
  });
});

describe("a rollout that mixes chat completions and responses", () => {
  test("is one row, since each call continues the tokens of the call before it", async () => {
    const { client, rollout, rows } = await training();
    const first = await client.responses.create({ model: "m", input: "find", tools: [tool] });
    const [call] = callsOf(first) as [OpenAI.Responses.ResponseFunctionToolCall];
    const messages: object[] = [
      user("find"),
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: call.call_id, type: "function", function: { name, arguments: call.arguments } }],
      },
      { role: "tool", tool_call_id: call.call_id, content: "key" },
    ];
    const { body: second } = await chat(rollout, messages, { tools: [sent] });
    expect(second.usage.prompt_tokens_details.cached_tokens).toBe(first.usage?.total_tokens);
    const third = await client.responses.create({
      model: "m",
      input: [
        { role: "user", content: "find" },
        call,
        resultOf(first),
        { role: "assistant", content: second.choices[0].message.content },
        { role: "user", content: "greet" },
      ],
      tools: [tool],
    });
    expect(third.usage?.input_tokens_details.cached_tokens).toBe(second.usage.total_tokens);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row?.steps).toHaveLength(3);
  });
});

describe("parameters of a response", () => {
  test("that have no effect are accepted and named in a header, whole and streamed", async () => {
    const { client } = await evaluation();
    const asked = {
      model: "m",
      input: [
        { type: "message", id: "msg_1", role: "developer", content: [{ type: "input_text", text: "greet" }] },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
        { role: "user", content: "greet" },
      ],
      tools: [tool, { type: "web_search" }, { type: "namespace", name: "agents", tools: [] }],
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high" },
      store: false,
      prompt_cache_key: "key",
      client_metadata: { "evil\r\nname": "x" },
      "odd\r\nname": 1,
      metadata: null,
    };
    for (const stream of [false, true]) {
      const request = { ...asked, stream } as unknown as OpenAI.Responses.ResponseCreateParams;
      const { response } = await client.responses.create(request).withResponse();
      expect(response.headers.get("x-palestra-ignored")?.split(", ").sort()).toEqual([
        ...["client_metadata", "include[reasoning.encrypted_content]", "input[reasoning]", "odd??name"],
        ...["prompt_cache_key", "reasoning", "store", "tools[namespace]", "tools[web_search]"],
      ]);
    }
    const { response } = await client.responses.create({ model: "m", input: "greet" }).withResponse();
    expect(response.headers.get("x-palestra-ignored")).toBeNull();
  });

  test.each([
    [{ tool_choice: "required" }, "tools", "invalid_request"],
    [{ tools: [tool], tool_choice: { type: "function", name: "other" } }, "tool_choice", "invalid_request"],
    [{ tools: [tool], tool_choice: "sometimes" }, "tool_choice", "unsupported_parameter"],
    [{ text: { format: { type: "xml" } } }, "text.format.type", "unsupported_parameter"],
    [{ top_logprobs: 21 }, "top_logprobs", "invalid_request"],
    [{ n: 2 }, "n", "unsupported_parameter"],
    [{ background: true }, "background", "unsupported_parameter"],
    [{ conversation: "conv_1" }, "conversation", "unsupported_parameter"],
    [{ presence_penalty: 3 }, "presence_penalty", "invalid_request"],
    [{ max_output_tokens: 0 }, "max_output_tokens", "invalid_request"],
    [{ input: undefined }, "input", "invalid_request"],
    [{ input: [] }, "input", "invalid_request"],
    [{ input: [{ type: "computer_call" }] }, "input[0].type", "unsupported_parameter"],
    [
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "x" }] }] },
      "input[0].content[0].type",
      "unsupported_parameter",
    ],
    [{ input: [{ type: "item_reference", id: "msg_1" }] }, "input[0].id", "call_not_found"],
    [{ previous_response_id: "resp_1" }, "previous_response_id", "call_not_found"],
  ])("are refused by name: %j", async (more, param, code) => {
    const { rollout } = await evaluation();
    const { status, body } = await post(`${rollout.base_url}/responses`, { model: "m", input: "greet", ...more });
    expect(status).toBe(code === "call_not_found" ? 404 : 400);
    expect(body.error).toMatchObject({ type: "invalid_request_error", param, code });
    expect(body.error.message).toMatch(/expected .*but received/);
  });

  test("give an APIError in the SDK, and so does a failure in the middle of a stream", async () => {
    const { client, url, rollout, generator } = await evaluation();
    const error = await client.responses.create({ model: "m", input: "x ".repeat(300) }).catch((caught) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 400, code: "context_length_exceeded" });
    await generator.pause();
    const stream = await client.responses.create({ model: "m", input: "greet", stream: true });
    await post(`${url}/rollouts/${rollout.id}/end`, {});
    generator.resume();
    const types: string[] = [];
    const read = async () => {
      for await (const { type } of stream) types.push(type);
    };
    await expect(read()).rejects.toThrow("ended during this call");
    expect(types.at(-1)).toBe("response.failed");
  });
});

/** Removes what differs between two responses of equal content, and what the SDK adds. */
function withoutIds(response: Response) {
  return JSON.parse(
    JSON.stringify({ output: response.output, status: response.status, usage: response.usage }, (key, value) =>
      ["id", "call_id", "cached_tokens", "parsed", "parsed_arguments"].includes(key) ? undefined : value,
    ),
  );
}
