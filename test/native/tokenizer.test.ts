/** Tokenizers and chat templates, which need no engine: bytes, streamed text, and refused arguments. */
import { expect, test } from "vitest";
import { ChatTemplate, Tokenizer } from "#palestra/native/api/index.js";
import { code } from "./tiny-models.js";

/** GPT-2's letters for the 256 bytes. */
const isVisible = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
const hidden = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !isVisible(byte));
const letters = Array.from({ length: 256 }, (_, byte) =>
  String.fromCodePoint(isVisible(byte) ? byte : 256 + hidden.indexOf(byte)),
);

/** A tokenizer with one token per byte and two added tokens. */
const bytewise = new Tokenizer(
  {
    added_tokens: [
      { id: 256, content: "<|end|>", special: true },
      { id: 257, content: "<tool>", special: false },
    ],
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: false },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: Object.fromEntries(letters.map((letter, byte) => [letter, byte])), merges: [] },
  },
  { eos_token: "<|end|>", chat_template: "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}" },
);
const text = "naïve 👩‍👩‍👧 日本\r\n\t\u0000";

test("every token has the bytes it stands for, and decoding restores the text", () => {
  const { bytes, offsets } = bytewise.bytes(300);
  expect([...bytes.subarray(0, 256)]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
  expect(Buffer.from(bytes.subarray(Number(offsets[256]), Number(offsets[258]))).toString()).toBe("<|end|><tool>");
  expect([...offsets.slice(258)].every((offset) => offset === BigInt(bytes.length))).toBe(true);
  expect(Buffer.from(bytewise.encode(text)).toString()).toBe(text);
  expect(bytewise.decode(bytewise.encode(text))).toBe(text);
});

test("a text stream yields whole characters, token by token", () => {
  const stream = bytewise.textStream();
  const parts = [...bytewise.encode(`${text}<|end|>`)].map((token) => stream.push(token));
  expect(parts.join("") + stream.end()).toBe(`${text}<|end|>`);
  expect(parts.filter((part) => part !== "")).toEqual([...text, "<|end|>"]);
});

test("an incomplete last character and invalid UTF-8 are decoded as U+FFFD", () => {
  const [first = 0] = bytewise.encode("é");
  const stream = bytewise.textStream({ skipSpecialTokens: true });
  expect([0x61, 0xff, 256, 257, 9999, first].map((token) => stream.push(token))).toEqual([
    ...["a", "\ufffd", "", "<tool>", "", ""],
  ]);
  expect(stream.end()).toBe("\ufffd");
});

test.each([
  ["decoding a fraction", () => bytewise.decode([1.5])],
  ["streaming an id below 0", () => bytewise.textStream().push(-1)],
  ["decoding a text", () => bytewise.decode("abc" as never)],
  ["listing bytes for a vocabulary that is too small", () => bytewise.bytes(10)],
  ["listing bytes for a vocabulary of NaN tokens", () => bytewise.bytes(Number.NaN)],
  ["encoding undefined", () => bytewise.encode(undefined as never)],
  ["encoding a chat without messages", () => bytewise.encodeChat(undefined as never)],
  ["encoding a chat with a null message", () => bytewise.encodeChat([null] as never)],
  ["encoding a chat with a message without a role", () => bytewise.encodeChat([{ content: "hello" }] as never)],
])("%s fails with NATIVE_INVALID_ARGUMENT", (_, work) => {
  expect(work).toThrow(code("NATIVE_INVALID_ARGUMENT"));
});

test.each([
  ["is incomplete", "{% for %}"],
  ["refuses the messages", "{{ raise_exception('only users') }}"],
])("a template that %s fails with NATIVE_FORMAT", (_, source) => {
  expect(() => new ChatTemplate(source, {}).render([{ role: "user", content: "x" }])).toThrow(code("NATIVE_FORMAT"));
});

test("messages may have tool calls instead of content, and templates receive the tools", () => {
  const source =
    "{% for t in tools %}[{{ t.name }}]{% endfor %}{% for m in messages %}" +
    "{% if m.tool_calls %}{{ m.tool_calls[0].name }}{% else %}{{ m.content }}{% endif %}{{ eos }}{% endfor %}";
  const rendered = new ChatTemplate(source, {}).render(
    [
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: [{ name: "walk" }] },
    ],
    { tools: [{ name: "walk" }], variables: { eos: "." } },
  );
  expect(rendered).toBe("[walk]go.walk.");
});
