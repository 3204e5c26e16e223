/** GGUF files and adapters of PEFT that the engine writes. `test/peers/saved-models.ts` lets other programs read them. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Tokenizer } from "#palestra/native/api/index.js";
import { tokenizerOfGguf } from "#palestra/native/format/gguf-tokenizer.js";
import {
  code,
  configs,
  engineOfFile,
  type Json,
  randomTensors,
  temporaryFolder,
  writeCheckpoint,
} from "./tiny-models.js";

const folder = temporaryFolder();
const engine = await engineOfFile(1);
const kinds = Object.keys(configs) as (keyof typeof configs)[];

test.each(kinds)("a %s model is read from its GGUF file of f32 bit for bit", async (kind) => {
  const config = { ...configs[kind], rms_norm_eps: 2 ** -16, eos_token_id: [7, 9] };
  const tensors = randomTensors(config, 3);
  const model = await engine.loadModel(writeCheckpoint(join(folder, kind), config, tensors));
  const path = join(folder, `${kind}.gguf`);
  await model.saveGguf(path, { dtype: "f32" });
  const read = await engine.loadModel(path);
  expect(read.config).toEqual(model.config);
  expect(read.endTokens).toEqual([7, 9]);
  for (const { name } of model.parameters) expect(await read.parameter(name)).toEqual(tensors.get(name)?.values);
  model.close();
  read.close();
});

/** Rounds to the given number of bits of the mantissa, ties to even. */
function rounded(value: number, bits: number, least: number): number {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), least);
  const unit = 2 ** (exponent - bits);
  const [below, rest] = [Math.floor(value / unit), value / unit - Math.floor(value / unit)];
  return (rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below) * unit;
}

test.each([
  ["f16", 10, -14],
  ["bf16", 7, -126],
] as const)("matrices of %s are rounded to the nearest, and vectors stay f32", async (dtype, bits, least) => {
  const tensors = randomTensors(configs.qwen3, 5);
  const values = tensors.get("model.embed_tokens.weight")?.values as Float32Array;
  // Ties, numbers below the smallest normal f16, and the largest f16.
  values.set([1 + 2 ** -11, 1 + 3 * 2 ** -11, 1 + 2 ** -8, 3 * 2 ** -25, -(2 ** -24), 2 ** -26, 5e-6, -65_504, 0.333]);
  const model = await engine.loadModel(writeCheckpoint(join(folder, dtype), configs.qwen3, tensors));
  const path = join(folder, `${dtype}.gguf`);
  await model.saveGguf(path, { dtype });
  const read = await engine.loadModel(path);
  for (const { name, shape } of model.parameters) {
    const exact = tensors.get(name)?.values as Float32Array;
    const expected = shape.length === 1 ? exact : exact.map((value) => (value === 0 ? 0 : rounded(value, bits, least)));
    expect({ name, values: await read.parameter(name) }).toEqual({ name, values: expected });
  }
  model.close();
  read.close();
});

/** A tokenizer of every byte with some merges, which splits texts by the rule `pre`. */
function tokenizerFolder(pre: string, name: string): { path: string; tokenizer: Tokenizer } {
  const letters = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
  const tokens = ["<|end|>", "<tool>", "Ġ", ...letters, "he", "ll", "hell", "Ġhell"];
  const metadata = {
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": pre,
    "tokenizer.ggml.tokens": tokens,
    "tokenizer.ggml.token_type": tokens.map((_, id) => (id === 0 ? 3 : id === 1 ? 4 : 1)),
    "tokenizer.ggml.merges": ["h e", "l l", "he ll", "Ġ hell"],
    "tokenizer.ggml.bos_token_id": 0,
    "tokenizer.ggml.eos_token_id": 0,
    "tokenizer.ggml.add_bos_token": true,
    "tokenizer.chat_template": "{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}",
  };
  const tokenizer = tokenizerOfGguf(new Map(Object.entries(metadata))) as Tokenizer;
  const path = writeCheckpoint(join(folder, name), { ...configs.llama, vocab_size: 128 });
  writeFileSync(join(path, "tokenizer_config.json"), JSON.stringify(tokenizer.config));
  return { path, tokenizer };
}

const texts = ["hello hell<|end|>", "12345 he'll <tool> x", "  hell  he\nll!?"];

test.each(["default", "smollm", "llama-bpe", "qwen2", "another", "smollm after NFC", "qwen2 after NFKC"])(
  "a tokenizer that splits like %s encodes, decodes and renders chats as before it was written",
  async (name) => {
    const [pre = "", normalizer] = name.split(" after ");
    const { path, tokenizer } = tokenizerFolder(pre === "another" ? "gpt-2" : pre, `tokenizer-${name}`);
    const definition: Json = { ...tokenizer.definition };
    if (normalizer !== undefined) definition.normalizer = { type: normalizer };
    if (pre === "another") {
      const split = { type: "Split", pattern: { Regex: " ?\\w+|\\W" }, behavior: "Isolated", invert: false };
      const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
      definition.pre_tokenizer = { type: "Sequence", pretokenizers: [split, bytes] };
    }
    writeFileSync(join(path, "tokenizer.json"), JSON.stringify(definition));
    const model = await engine.loadModel(path);
    await model.saveGguf(`${path}.gguf`);
    const [given, read] = [model.tokenizer, (await engine.loadModel(`${path}.gguf`)).tokenizer];
    if (!given || !read) throw new Error("expected tokenizers");
    for (const text of texts) {
      expect(read.encode(text)).toEqual(given.encode(text));
      expect(read.decode(read.encode(text))).toBe(given.decode(given.encode(text)));
    }
    const chat = [{ role: "user", content: "hell" }];
    expect(read.encodeChat(chat)).toEqual(given.encodeChat(chat));
    expect(read.endTokens).toEqual(given.endTokens);
    // Other programs know only GGUF's names of these rules.
    expect(readFileSync(`${path}.gguf`).includes("tokenizer.huggingface.json")).toBe(
      pre === "another" || normalizer !== undefined,
    );
    model.close();
  },
);

test("a model whose rope scaling a GGUF file cannot state is refused, and leaves no file", async () => {
  const scaling = { rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
  const rope_scaling = { ...scaling, original_max_position_embeddings: 32 };
  const model = await engine.loadModel({ config: { ...configs.llama, rope_scaling }, seed: 1 });
  const path = join(folder, "refused.gguf");
  await expect(model.saveGguf(path)).rejects.toEqual(code("NATIVE_FORMAT"));
  await expect(model.saveGguf(join(folder, "no-such-folder", "x.gguf"))).rejects.toEqual(code("NATIVE_FORMAT"));
  expect(() => rmSync(path)).toThrow("ENOENT");
  model.close();
});
