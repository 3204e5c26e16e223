/**
 * Replies that are held to a form, by a model with random weights: forced calls, strict tools, JSON of a schema, and the
 * parameters of vLLM and SGLang, over the three protocols.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { Grammar, type Model, type SequenceResult } from "#palestra/native/api/index.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { chat, claim, type Invitation, post, serve } from "./serving.js";

const engine = await engineOfFile(2);
let model: Model;
beforeAll(async () => {
  if (!engine) return;
  const folder = await writeAgentModel(engine, temporaryFolder(), {
    texts: ["find", "key", "lookup", "red"],
    context: 1_024,
  });
  model = await engine.loadModel(folder);
});

const shelf = {
  type: "object",
  properties: { shelf: { enum: ["red", "blue"] }, row: { type: "integer", minimum: 1, maximum: 9 } },
};
const parameters = { ...shelf, required: ["shelf", "row"], additionalProperties: false };
const open = { type: "object", properties: {} };
const functions = [
  { type: "function", function: { name: "lookup", parameters } },
  { type: "function", function: { name: "wait", parameters: open } },
];
const isShelf = new Ajv2020().compile(parameters);
const seeds = [0, 1, 2, 3, 4, 5];
const ask = [{ role: "user", content: "find" }];

async function evaluation(): Promise<{ rollout: Invitation; url: string }> {
  const { url } = await serve(model, {}, { context: 1_024, maxNewTokens: 700 });
  return { url, rollout: await claim(url, "task", "eval") };
}

/** Sends a request of chat completions until a reply is complete: a random model may write long strings. */
async function complete(rollout: Invitation, more: Record<string, unknown>, seed = 0) {
  for (let attempt = 0; ; attempt++) {
    const { status, body, headers } = await chat(rollout, ask, { seed: seed + 1_000 * attempt, ...more });
    expect(status, JSON.stringify(body)).toBe(200);
    if (body.choices[0].finish_reason !== "length") return { ...body.choices[0], id: body.id, headers };
  }
}

describe("a chat completion", () => {
  test("with tool_choice required calls one or more of the tools, with arguments of their schemas", async () => {
    const { rollout } = await evaluation();
    for (const seed of seeds) {
      const { message, finish_reason } = await complete(rollout, { tools: functions, tool_choice: "required" }, seed);
      expect(finish_reason).toBe("tool_calls");
      expect(message.content ?? "").toBe("");
      for (const { function: call } of message.tool_calls) {
        expect(["lookup", "wait"]).toContain(call.name);
        if (call.name === "lookup") expect(isShelf(JSON.parse(call.arguments)), call.arguments).toBe(true);
      }
    }
  });

  test("with a named tool calls it, and only once without parallel calls", async () => {
    const { rollout } = await evaluation();
    const choice = { type: "function", function: { name: "lookup" } };
    for (const seed of seeds) {
      const more = { tools: functions, tool_choice: choice, parallel_tool_calls: false };
      const { message } = await complete(rollout, more, seed);
      expect(message.tool_calls).toHaveLength(1);
      expect(message.tool_calls[0].function.name).toBe("lookup");
    }
  });

  test("with allowed_tools calls no other tool", async () => {
    const { rollout } = await evaluation();
    const tools = [{ type: "function", function: { name: "wait" } }];
    for (const mode of ["auto", "required"]) {
      const { message } = await complete(rollout, {
        tools: functions,
        tool_choice: { type: "allowed_tools", allowed_tools: { mode, tools } },
        max_tokens: mode === "auto" ? 60 : 700,
        stop: ["\n"],
      });
      for (const { function: call } of message.tool_calls ?? []) expect(call.name).toBe("wait");
    }
  });

  test("with strict tools is text, or a call whose arguments are valid", async () => {
    const { rollout } = await evaluation();
    const tools = [{ type: "function", function: { name: "lookup", parameters, strict: true } }];
    const ends = new Set<string>();
    for (const seed of Array.from({ length: 30 }, (_, index) => index)) {
      const { body } = await chat(rollout, ask, { tools, seed, max_tokens: 200 });
      const [{ message, finish_reason }] = body.choices;
      ends.add(finish_reason);
      expect(message.content ?? "").not.toContain("<tool_call>\n{");
      for (const { function: call } of message.tool_calls ?? []) expect(isShelf(JSON.parse(call.arguments))).toBe(true);
    }
    expect(ends.size).toBeGreaterThan(1);
  });

  test.each([
    [
      { response_format: { type: "json_schema", json_schema: { name: "shelf", strict: true, schema: parameters } } },
      isShelf,
    ],
    [
      { response_format: { type: "json_object" } },
      (value: unknown) => typeof value === "object" && !Array.isArray(value),
    ],
    [{ structured_outputs: { json: parameters } }, isShelf],
    [{ guided_json: JSON.stringify(parameters) }, isShelf],
    [{ structured_outputs: { choice: ["1", "22"] } }, (value: unknown) => value === 1 || value === 22],
    [{ guided_choice: ["true", "null"] }, (value: unknown) => value === true || value === null],
    [{ guided_regex: "[1-5]{3}|7" }, (value: unknown) => /^([1-5]{3}|7)$/.test(String(value))],
    [{ regex: "\\[\\d(,\\d){2}\\]" }, (value: unknown) => (value as number[]).length === 3],
  ])("with %j has that form", async (more, holds) => {
    const { rollout } = await evaluation();
    for (const seed of seeds) {
      const { message, finish_reason } = await complete(rollout, more, seed);
      expect(finish_reason).toBe("stop");
      expect(holds(JSON.parse(message.content)), message.content).toBe(true);
    }
  });

  test("with a schema and tools is JSON of the schema or a call", async () => {
    const { rollout } = await evaluation();
    const format = { type: "json_schema", json_schema: { name: "n", schema: { enum: [1, 2] } } };
    const kinds = new Set<string>();
    for (let seed = 0; kinds.size < 2; seed++) {
      const { message } = await complete(rollout, { tools: functions, response_format: format }, seed);
      kinds.add(message.tool_calls ? "call" : message.content);
      expect([...kinds].every((kind) => ["1", "2", "call"].includes(kind))).toBe(true);
    }
  });

  test("is any JSON where a schema without strict has a keyword that cannot be held to, and says so", async () => {
    const { rollout } = await evaluation();
    const schema = { enum: [1], not: { const: 2 } };
    const json_schema = { name: "n", schema };
    const { message, headers } = await complete(rollout, { response_format: { type: "json_schema", json_schema } });
    expect(() => JSON.parse(message.content)).not.toThrow();
    expect(headers.get("x-palestra-ignored")).toBe("response_format.json_schema.schema");
    const strict = { type: "json_schema", json_schema: { ...json_schema, strict: true } };
    const { status, body } = await chat(rollout, ask, { response_format: strict });
    expect([status, body.error.param]).toEqual([400, "response_format.json_schema.schema"]);
    expect(body.error.message).toContain("without not");
    const tool = { type: "function", function: { name: "x", parameters: { not: {} }, strict: true } };
    const refused = await chat(rollout, ask, { tools: [tool], tool_choice: "required" });
    expect([refused.status, refused.body.error.param]).toEqual([400, "tools[x].parameters"]);
  });

  test("streams the same reply", async () => {
    const { rollout } = await evaluation();
    const more = { tools: functions, tool_choice: "required", seed: 3, max_tokens: 300 };
    const whole = await chat(rollout, ask, more);
    const reply = await fetch(`${rollout.base_url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "any", messages: ask, stream: true, ...more }),
    });
    const events = (await reply.text()).split("\n\n").filter((event) => event.startsWith("data: {"));
    const deltas = events.map((event) => JSON.parse(event.slice(6)).choices[0].delta);
    const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
    const names = calls.map((call: { function: unknown }) => call.function);
    expect(names).toEqual(
      (whole.body.choices[0].message.tool_calls ?? []).map((call: { function: unknown }) => call.function),
    );
  });
});

test("the record has the log-probabilities under the form, and a later call continues the tokens", async () => {
  const { url, generator, seat } = await serve(model, {}, { context: 1_024, maxNewTokens: 300, temperature: 1 });
  const group = seat();
  const rollout = await claim(url);
  const format = { type: "json_schema", json_schema: { name: "n", schema: { enum: ["red", "blue"] } } };
  const { body } = await chat(rollout, ask, { response_format: format, seed: 4 });
  const [{ message, logprobs }] = body.choices;
  const messages = [...ask, message, { role: "user", content: "find" }];
  const { body: next } = await chat(rollout, messages, { response_format: { type: "json_object" }, max_tokens: 5 });
  expect(next.usage.prompt_tokens_details.cached_tokens).toBe(body.usage.total_tokens);
  await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
  const { trajectories } = await group;
  expect(trajectories).toHaveLength(1);
  const [{ logprobs: recorded, steps }] = trajectories as [(typeof trajectories)[0]];
  const [first] = steps;
  const grammar = new Grammar({ choice: [{ schema: { enum: ["red", "blue"] } }] });
  const tokens = body.prompt_token_ids as number[];
  const stopTokens = [body.choices[0].token_ids.at(-1)];
  const again: SequenceResult = await generator.submit({ tokens, seed: 4n, grammar, stopTokens }).result;
  expect([...again.tokens]).toEqual(body.choices[0].token_ids);
  expect([...recorded.subarray(first?.first, first?.end)]).toEqual([...again.logprobs]);
  expect(logprobs.content[0].logprob).toBeCloseTo(again.logprobs[0] as number, 4);
  expect(again.logprobs.some((logprob, at) => logprob > (again.modelLogprobs[at] as number) + 1)).toBe(true);
});

describe("the other protocols", () => {
  test("a response has the form of text.format, and calls the tool of tool_choice", async () => {
    const { rollout } = await evaluation();
    const url = `${rollout.base_url}/responses`;
    const format = { type: "json_schema", name: "shelf", strict: true, schema: parameters };
    const { body } = await post(url, { model: "m", input: "find", text: { format }, seed: 1 });
    expect(isShelf(JSON.parse(body.output[0].content[0].text))).toBe(true);
    expect(body.text).toMatchObject({ format: { type: "json_schema", name: "shelf" } });
    const tools = [{ type: "function", name: "lookup", parameters, strict: true }];
    const choice = { type: "function", name: "lookup" };
    const asked = { model: "m", input: "find", tools, tool_choice: choice, parallel_tool_calls: false, seed: 1 };
    const { body: called } = await post(url, asked);
    expect(called.output).toHaveLength(1);
    expect(called.output[0]).toMatchObject({ type: "function_call", name: "lookup" });
    expect(isShelf(JSON.parse(called.output[0].arguments))).toBe(true);
    expect(called.tool_choice).toEqual(choice);
  });

  test("a message calls a tool with tool_choice any, and has the form of output_config.format", async () => {
    const { rollout } = await evaluation();
    const url = `${rollout.anthropic_base_url}/v1/messages`;
    const tools = [{ name: "lookup", input_schema: parameters }];
    const asked = { model: "m", max_tokens: 500, messages: ask, seed: 2 };
    for (const tool_choice of [{ type: "any" }, { type: "tool", name: "lookup", disable_parallel_tool_use: true }]) {
      const { body } = await post(url, { ...asked, tools, tool_choice });
      expect(body.stop_reason).toBe("tool_use");
      for (const block of body.content) {
        expect(block).toMatchObject({ type: "tool_use", name: "lookup" });
        expect(isShelf(block.input)).toBe(true);
      }
    }
    const format = { type: "json_schema", schema: parameters };
    const { body } = await post(url, { ...asked, output_config: { format } });
    expect(isShelf(JSON.parse(body.content[0].text))).toBe(true);
  });
});
