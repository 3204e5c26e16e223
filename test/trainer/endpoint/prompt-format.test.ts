/**
 * A model can be offered tools if its chat template shows the tools and writes calls in a form that the endpoint reads.
 */
import { describe, expect, test } from "vitest";
import { Tokenizer } from "#palestra/native/api/index.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { EndpointError } from "#palestra/trainer/endpoint/protocol/errors.js";
import type { Tool } from "#palestra/trainer/endpoint/protocol/message.js";
import { PromptFormat } from "#palestra/trainer/endpoint/protocol/prompt-format.js";

const own = buildTokenizer(["say it"], { leastWordCount: 1 });
const tool: Tool = { type: "function", function: { name: "lookup", parameters: {} } };
const user = { role: "user", content: "say it" };
const result = { role: "tool", content: "say it", tool_call_id: "call" };

const shown = "{% for t in tools or [] %}{{ '<|observation|>' + t.function.name + '<|end|>' }}{% endfor %}";
const others = "{{ '<|observation|>' + m.content + '<|end|>' }}";
const header = "{% if add_generation_prompt %}{{ '<|action|>' }}{% endif %}";

/**
 * @param calls template of a call @param tools template of the list of tools @param results template of a tool's result
 */
function formatOf({ calls = "", tools = "", results = others }): PromptFormat {
  const call = `{% for c in m.tool_calls or [] %}${calls}{% endfor %}`;
  const said = `{% if m.role == 'assistant' %}{{ '<|action|>' + m.content }}${call}{{ '<|end|>' }}`;
  const template = `${tools}{% for m in messages %}${said}{% elif m.role == 'tool' %}${results}{% else %}${others}{% endif %}{% endfor %}${header}`;
  return new PromptFormat(new Tokenizer(own.definition, { ...own.config, chat_template: template }));
}

const hermes = `{{ '<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}\\n</tool_call>' }}`;
const xml = "{{ '<invoke name=\"' + c.function.name + '\"></invoke>' }}";
const lisp = "{{ '<tool_call>(' + c.function.name + ')</tool_call>' }}";
const harmony = `{{ '<|start|>assistant to=functions.' + c.function.name + '<|channel|>commentary json<|message|>' + (c.function.arguments | tojson) + '<|call|>' }}`;

function refusal(use: () => unknown): EndpointError {
  try {
    use();
  } catch (error) {
    if (error instanceof EndpointError) return error;
    throw error;
  }
  throw new Error("expected a refusal, but received none");
}

const remedy =
  /Serve a model that writes tool calls as one of DeepSeek, .*, Hermes, such as Qwen2.5-0.5B-Instruct, or describe the tools/;

describe("tools are offered", () => {
  test("by a template that writes calls as Hermes and Qwen do", () => {
    const format = formatOf({ tools: shown, calls: hermes });
    expect(format.opening([user], [tool]).length).toBeGreaterThan(format.opening([user], []).length);
  });

  test("by a template that asks for such calls but has no form for a call", () => {
    const asks = `${shown}{% if tools %}{{ '<|observation|>answer with <tool_call></tool_call><|end|>' }}{% endif %}`;
    expect(formatOf({ tools: asks }).opening([user], [tool]).length).toBeGreaterThan(0);
  });
});

describe("tools are refused, with a remedy,", () => {
  test("if the template has no place for them", () => {
    const error = refusal(() => formatOf({}).opening([user], [tool]));
    expect([error.status, error.code, error.param]).toEqual([400, "unsupported_parameter", "tools"]);
    expect(error.message).toContain("The model's chat template has no place for tools. ");
    expect(error.message).toMatch(remedy);
  });

  test.each([
    ["MiniMax's elements", xml],
    ["a list in the marks of Hermes", lisp],
  ])("if the template writes calls in another form, such as %s, which the endpoint would not read", (_, calls) => {
    const asks = `${shown}{% if tools %}{{ '<|observation|>answer with <tool_call></tool_call><|end|>' }}{% endif %}`;
    const error = refusal(() => formatOf({ tools: asks, calls }).opening([user], [tool]));
    expect([error.code, error.param]).toEqual(["unsupported_parameter", "tools"]);
    expect(error.message).toContain("writes tool calls in an unknown format. ");
    expect(error.message).toMatch(remedy);
  });

  test("if the template has no place for their results", () => {
    const error = refusal(() => formatOf({ tools: shown, calls: hermes, results: "" }).opening([user, result], [tool]));
    expect([error.code, error.param]).toEqual(["unsupported_parameter", "messages"]);
    expect(error.message).toContain("has no place for the results of tools. ");
  });
});

test("a model whose template writes channels, as gpt-oss does, is refused", () => {
  expect(() => formatOf({ tools: shown, calls: harmony })).toThrow(
    "expected a chat template that writes a reply as one text, but received a template that writes channels, as gpt-oss does",
  );
});

test("a template that changes earlier text is refused", () => {
  const forgetful = `{% for m in messages %}{% if m.role != 'assistant' or loop.last %}{{ m.content }}{% endif %}{% endfor %}`;
  expect(() => new PromptFormat(new Tokenizer(own.definition, { ...own.config, chat_template: forgetful }))).toThrow(
    "expected a chat template that only appends text as a conversation grows",
  );
});

test("a template that writes text before earlier replies, such as empty thoughts, gets bridges after them", () => {
  const thoughtful = `{% for m in messages %}{% if m.role == 'assistant' %}{{ '<|action|>no thought ' + m.content + '<|end|>' }}{% else %}${others}{% endif %}{% endfor %}${header}`;
  const tokenizer = new Tokenizer(own.definition, { ...own.config, chat_template: thoughtful });
  const format = new PromptFormat(tokenizer);
  const earlier = { reply: { role: "assistant", content: "it" }, text: "it", last: format.stopTokens[0] };
  expect(tokenizer.decode(format.bridge(earlier, [user], []) ?? [])).toBe("<|observation|>say it<|end|><|action|>");
});
