/** Chat templates in two parts: the opening, and the bridge between turns. */
import { expect, test } from "vitest";
import { Tokenizer } from "#palestra/native/api/index.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { ChatFormat } from "#palestra/trainer/policy/chat-format.js";
import { tools } from "../support/tools.js";
import { texts } from "../toy-model.js";

const own = buildTokenizer(texts, { leastWordCount: 1 });

/** Our tokenizer under a template of another model. */
const under = (template: string) => new Tokenizer(own.definition, own.config, template);

const turn = "'<|observation|>' + m.role + '\n' + m.content + '<|end|>'";
const header = "{% if add_generation_prompt %}{{ '<|action|>' }}{% endif %}";
const chatml = `{% for m in messages %}{% if m.role == 'assistant' %}{{ '<|action|>' + m.content + '<|end|>' }}{% else %}{{ ${turn} }}{% endif %}{% endfor %}${header}`;

test("the opening, replies and bridges together equal the template's text of the whole conversation", () => {
  for (const tokenizer of [own, under(chatml)]) {
    const format = new ChatFormat(tokenizer);
    const reply = format.reply("get 1 oak logs");
    const pieces = [
      ...format.opening("You craft.", "first"),
      ...reply,
      ...format.bridge("second", reply.at(-1)),
      ...format.reply("craft"),
      ...format.bridge("third", format.stopTokens[0]),
    ];
    const whole = tokenizer.chatTemplate?.render([
      { role: "system", content: "You craft." },
      { role: "user", content: "first" },
      { role: "assistant", content: "get 1 oak logs" },
      { role: "user", content: "second" },
      { role: "assistant", content: "craft" },
      { role: "user", content: "third" },
    ]);
    expect(tokenizer.decode(pieces)).toBe(whole);
    expect(format.text(reply)).toBe("get 1 oak logs");
  }
});

test("the bridge closes a reply that was cut off, and does not close a finished one twice", () => {
  const format = new ChatFormat(own);
  const [end] = format.stopTokens;
  const ended = format.bridge("Got 1 oak logs", end);
  expect([...format.bridge("Got 1 oak logs", own.idOf("get"))]).toEqual([end, ...ended]);
  expect(ended).not.toContain(end);
});

test("a template that rewrites earlier text is refused with the reason", () => {
  const forgetful = `{% for m in messages %}{% if m.role != 'assistant' or loop.last %}{{ ${turn} }}{% endif %}{% endfor %}${header}`;
  expect(() => new ChatFormat(under(forgetful))).toThrow(
    "expected a chat template that only appends text as a conversation grows, but received a template that changes the text up to the first reply when messages are added",
  );
});

test("instructions precede the first observation if the template accepts no system message", () => {
  const strict = `{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{% if m.role == 'assistant' %}{{ '<|action|>' + m.content + '<|end|>' }}{% else %}{{ ${turn} }}{% endif %}{% endfor %}${header}`;
  const tokenizer = under(strict);
  const format = new ChatFormat(tokenizer);
  expect(tokenizer.decode(format.opening("You craft.", "first"))).toContain("You craft.\n\nfirst");
});

/** ChatML with functions, as Qwen2.5 has it. */
const functions =
  "{% if tools %}{{ '<|observation|>functions' }}{% for t in tools %}{{ ' ' + t.function.name }}{% endfor %}{{ '<|end|>' }}{% endif %}";
const response = "'<|observation|><tool_response>' + m.content + '</tool_response><|end|>'";
const withFunctions = `${functions}{% for m in messages %}{% if m.role == 'tool' %}{{ ${response} }}{% elif m.role == 'assistant' %}{{ '<|action|>' + m.content + '<|end|>' }}{% else %}{{ ${turn} }}{% endif %}{% endfor %}${header}`;

test("a template with tools shows them, and their results have the role of the tool", () => {
  const tokenizer = under(withFunctions);
  const format = new ChatFormat(tokenizer);
  const shown = tokenizer.decode(format.opening("You craft.", "first", { tools }));
  expect(shown).toContain("functions get craft inventory");
  expect(shown).not.toContain("JSON Schema");
  const bridge = (answerer: "tool" | "user") =>
    tokenizer.decode(format.bridge("Got it", format.stopTokens[0], answerer));
  expect(bridge("tool")).toContain("<tool_response>Got it</tool_response>");
  expect(bridge("user")).not.toContain("tool_response");
});

test("tools are described in words if the template has no place for them", () => {
  const tokenizer = under(chatml);
  const format = new ChatFormat(tokenizer);
  expect(tokenizer.decode(format.opening("You craft.", "first", { tools }))).toContain("as JSON Schema");
  expect(format.bridge("Got it", undefined, "tool")).toEqual(format.bridge("Got it", undefined, "user"));
});

test("a tokenizer without a chat template is refused", () => {
  const { chat_template: _, ...config } = own.config;
  expect(() => new ChatFormat(new Tokenizer(own.definition, config))).toThrow("expected a chat template");
});
