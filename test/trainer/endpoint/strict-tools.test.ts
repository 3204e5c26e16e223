/** Strict tools of models whose calls no grammar can hold, over the three protocols: such a reply may still be text. */
import { describe, expect, test } from "vitest";
import { Tokenizer } from "#palestra/native/api/index.js";
import { PromptFormat } from "#palestra/trainer/endpoint/protocol/prompt-format.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { writeAgentModel } from "./agent-model.js";
import { callTemplates, composed, each } from "./call-templates.js";
import { chat, claim, post, serve } from "./serving.js";

const engine = await engineOfFile(1);
const model =
  engine && (await engine.loadModel(await writeAgentModel(engine, temporaryFolder(), { texts: [], context: 1_024 })));

const name = "c.function.name";
const gemma = `{{ '<|tool_call>call:' + ${name} + '{' }}{%- for k, v in c.function.arguments.items() -%}{{ k + ':<|"|>' + v + '<|"|>' }}{%- endfor -%}{{ '}<tool_call|>' }}`;
const lfm = `{{ '<|tool_call_start|>[' + ${name} + '(' }}{%- for k, v in c.function.arguments.items() -%}{{ k + '="' + v + '"' }}{%- endfor -%}{{ ')]<|tool_call_end|>' }}`;
const templateOf = (form: string) => callTemplates.find((one) => one.form === form)?.template as string;
const forms = [
  { form: "Qwen3-Coder", template: templateOf("Qwen3-Coder") },
  { form: "GLM-4.5", template: templateOf("GLM-4.5") },
  { form: "Gemma 4", template: composed(each(gemma)) },
  { form: "LFM2", template: composed(each(lfm)) },
  { form: "Mistral", template: templateOf("Mistral"), special: "[TOOL_CALLS]" },
];

const ask = [{ role: "user", content: "find" }];
// No grammar has `not`: the schema of a tool that is not held is not read.
const parameters = { type: "object", properties: { shelf: { type: "string", not: { const: "red" } } } };
const strict = { type: "function", function: { name: "lookup", parameters, strict: true } };
const free = { type: "function", function: { name: "wait", parameters } };
const tools = [strict, free];

describe.each(forms)("a model that calls as $form", ({ form, template, special }) => {
  const rolloutOf = async () => {
    const { definition, config } = (model as NonNullable<typeof model>).tokenizer as Tokenizer;
    const added = definition.added_tokens as Record<string, unknown>[];
    const more = special ? [{ ...added[0], id: model?.tokenizer?.size, content: special, special: true }] : [];
    const tokenizer = new Tokenizer(
      { ...definition, added_tokens: [...added, ...more] },
      { ...config, chat_template: template },
    );
    const { url } = await serve(model, {}, { format: new PromptFormat(tokenizer), context: 1_024 });
    return claim(url, "task", "eval");
  };
  const forced = { mode: "required", tools: [{ type: "function", function: { name: "lookup" } }] };

  test("gets a free reply beside strict tools, and names what it ignores", async () => {
    const rollout = await rolloutOf();
    for (const choice of [{}, { tool_choice: "auto" }]) {
      const { status, headers, body } = await chat(rollout, ask, { tools, ...choice, seed: 1 });
      expect([status, headers.get("x-palestra-ignored")], JSON.stringify(body)).toEqual([200, "tools[lookup].strict"]);
      const bare = [strict, free].map((tool) => ({ ...tool, function: { ...tool.function, strict: false } }));
      const same = await chat(rollout, ask, { tools: bare, ...choice, seed: 1 });
      expect(same.headers.get("x-palestra-ignored")).toBeNull();
      expect(same.body.choices[0].token_ids).toEqual(body.choices[0].token_ids);
    }
    const { function: flat } = strict;
    const responses = { model: "m", input: "find", tools: [{ type: "function", ...flat }] };
    const messages = { model: "m", messages: ask, tools: [{ name: "lookup", input_schema: parameters, strict: true }] };
    for (const reply of [
      await post(`${rollout.base_url}/responses`, responses),
      await post(`${rollout.anthropic_base_url}/v1/messages`, messages),
    ])
      expect([reply.status, reply.headers.get("x-palestra-ignored")]).toEqual([200, "tools[lookup].strict"]);
  });

  test.each([
    ["required", "required", "a choice that demands a call"],
    ["a named tool", { type: "function", function: { name: "lookup" } }, "a choice that demands a call"],
    ["required of some", { type: "allowed_tools", allowed_tools: forced }, "a choice that demands a call"],
    ["auto of some", { type: "allowed_tools", allowed_tools: { ...forced, mode: "auto" } }, "a choice of some tools"],
  ])("refuses tool_choice %s", async (_, tool_choice, received) => {
    const { status, body } = await chat(await rolloutOf(), ask, { tools, tool_choice });
    expect([status, body.error.code, body.error.param]).toEqual([400, "unsupported_parameter", "tool_choice"]);
    expect(body.error.message).toBe(
      `expected auto or none, since no reply can be held to calls in the form of ${form}, but received ${received}`,
    );
  });

  test("refuses a schema of the reply beside tools, and takes it without", async () => {
    const rollout = await rolloutOf();
    const response_format = { type: "json_object" };
    const { status, body } = await chat(rollout, ask, { tools, response_format });
    expect([status, body.error.param]).toEqual([400, "response_format"]);
    expect(body.error.message).toContain(`in the form of ${form}, but received tools`);
    expect((await chat(rollout, ask, { tools, tool_choice: "none", response_format })).status).toBe(200);
  });
});
