/** The tokenizer that is made of what environments say. */
import { expect, test } from "vitest";
import { defaultConfig } from "#palestra/trainer/data/default-model.js";
import { buildTokenizer, markers } from "#palestra/trainer/data/default-tokenizer.js";
import { expectLoadable } from "../../native/tokenizer-fields.js";
import { cpuMs } from "../../support/cpu-time.js";

const colors = ["red", "green", "blue", "grey"];
const kinds = ["ball", "box", "key"];

/** Names in many surroundings, and a sentence around them that is always the same. */
const texts = colors.flatMap((color) =>
  kinds.flatMap((kind) =>
    [1, 2, 3].map(
      (id) =>
        `You can see things: a ${color} ${kind} ${id} and the ${color} ${kind}, one ${color} ${kind}; go to ${color} ${kind}. You are not carrying anything.`,
    ),
  ),
);
const tokenizer = buildTokenizer(texts, { leastPhraseCount: 20, leastNameCount: 5, nameVariety: 3 });
const pieces = (text: string) => Array.from(tokenizer.encode(text), (token) => tokenizer.decode([token]));

test("any text is decoded exactly as it was encoded", () => {
  for (const text of [...texts, "zürich 日本\t\u0000  x", "", " ", `a ${markers.end} b`]) {
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  }
});

test("a phrase that is always the same is a token, and so is a name in many surroundings", () => {
  expect(pieces("You can see things: a red ball 1")).toEqual(["You can see things: a", " red ball", " 1"]);
  expect(pieces("go to green key.")).toContain(" green key");
});

test("numbers are never part of a phrase", () => {
  const { added_tokens: added } = tokenizer.definition as { added_tokens: { content: string }[] };
  expect(added.filter(({ content }) => /\d/.test(content))).toEqual([]);
});

test("the same texts give the same tokenizer", () => {
  expect(buildTokenizer(texts).definition).toEqual(buildTokenizer([...texts]).definition);
});

test("the vocabulary keeps to its size, the most frequent words first", () => {
  const small = buildTokenizer(texts, { vocabularySize: 256 + 3 + 8, leastWordCount: 1 });
  expect(small.size).toBe(256 + 3 + 8);
  expect(small.decode(small.encode(texts[0] as string))).toBe(texts[0]);
});

test("replies end with the end of a turn", () => {
  expect(tokenizer.endTokens).toEqual([tokenizer.idOf(markers.end)]);
});

test("the tokenizer's file and the small model's config have the fields that Hugging Face's packages need", () => {
  expectLoadable(tokenizer.definition);
  const end = tokenizer.idOf(markers.end);
  const config = defaultConfig(tokenizer, { hiddenSize: 64, layers: 1, context: 64 });
  expect(config).toMatchObject({ bos_token_id: null, eos_token_id: end, pad_token_id: end });
});

test("a long phrase of words, with a number behind it, is read in no time", () => {
  // A pattern with two ways to match a word would try 2^60 of them.
  const phrase = Array.from({ length: 12 }, (_, at) => ["alpha", "beta", "gamma", "delta", "omega"][at % 5]).join(" ");
  const said = Array.from({ length: 120 }, (_, at) => `${at} ${phrase}${";!,.:"[at % 5]} ${at}`);
  expect(cpuMs(() => buildTokenizer(said))).toBeLessThan(10_000);
});
