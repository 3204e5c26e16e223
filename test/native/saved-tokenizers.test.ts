/** The tokenizer files and the config of saved models, as other programs need them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tokenizerOfGguf } from "#palestra/native/format/gguf-tokenizer.js";
import { configs, engineOfFile, type Json, temporaryFolder, writeCheckpoint } from "./tiny-models.js";
import { expectLoadable, missingFields } from "./tokenizer-fields.js";

const folder = temporaryFolder();
const engine = await engineOfFile(1);

const tokens = ["<|end|>", "<tool>", "a", "b", "ab"];
const metadata = {
  "tokenizer.ggml.model": "gpt2",
  "tokenizer.ggml.tokens": tokens,
  "tokenizer.ggml.token_type": [3, 4, 1, 1, 1],
  "tokenizer.ggml.merges": ["a b"],
  "tokenizer.ggml.bos_token_id": 0,
  "tokenizer.ggml.add_bos_token": true,
};

test.each(["default", "gpt-2", "smollm", "llama-bpe", "qwen2"])(
  "the tokenizer of a GGUF file with %s splitting has every field that `tokenizers` requires",
  (pre) => {
    const tokenizer = tokenizerOfGguf(new Map(Object.entries({ ...metadata, "tokenizer.ggml.pre": pre })));
    expectLoadable(tokenizer?.definition);
  },
);

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Json;

test("a model that is read with incomplete added tokens is saved with every field, and with its end tokens", async () => {
  const path = writeCheckpoint(join(folder, "incomplete"), configs.llama);
  const definition = {
    version: "1.0",
    normalizer: null,
    post_processor: null,
    added_tokens: [
      { id: 0, content: "<|end|>", special: true, normalized: false },
      { id: 1, content: "<tool>", special: false },
    ],
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true },
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true },
    model: { type: "BPE", vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges: ["a b"] },
  };
  expect(missingFields(definition, "")).not.toEqual([]);
  writeFileSync(join(path, "tokenizer.json"), JSON.stringify(definition));
  writeFileSync(join(path, "tokenizer_config.json"), JSON.stringify({ eos_token: "<|end|>", extra: 1 }));
  const model = await engine.loadModel(path);
  const saved = join(folder, "complete");
  await model.save(saved);
  model.close();
  const written = readJson(join(saved, "tokenizer.json"));
  expectLoadable(written);
  expect(written).toMatchObject({ added_tokens: [{ normalized: false }, { normalized: true }] });
  expect(readJson(join(saved, "tokenizer_config.json"))).toEqual({ eos_token: "<|end|>", extra: 1 });
  expect(readJson(join(saved, "config.json"))).toMatchObject({ eos_token_id: 0 });
});

test("a config that names its end tokens is saved with only these", async () => {
  const model = await engine.loadModel({ config: { ...configs.llama, eos_token_id: [7, 9] }, seed: 1 });
  const saved = join(folder, "named");
  await model.save(saved);
  model.close();
  expect(readJson(join(saved, "config.json"))).toMatchObject({ eos_token_id: [7, 9] });
});
