/** GGUF files, written here byte by byte: block types, names, the order of queries and keys, and the tokenizer. */
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  code,
  configs,
  engineOfFile,
  randomTensors,
  type Tensor,
  temporaryFolder,
  writeCheckpoint,
} from "./tiny-models.js";

const folder = temporaryFolder();
const engine = await engineOfFile(1);

type Value = { type: number; bytes: Buffer };
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const aNumber = (value: number): Value => ({ type: 4, bytes: u32(value) });
const aFloat = (value: number): Value => ({ type: 6, bytes: Buffer.from(Float32Array.of(value).buffer) });
const aText = (value: string): Value => ({ type: 8, bytes: text(value) });
const texts = (values: string[]): Value => ({
  type: 9,
  bytes: Buffer.concat([u32(8), u64(values.length), ...values.map(text)]),
});
const numbers = (values: number[]): Value => ({
  type: 9,
  bytes: Buffer.concat([u32(4), u64(values.length), ...values.map(u32)]),
});

interface Stored {
  type: number;
  /** The stored bytes of 32 values. */
  encode(values: Float32Array): Buffer;
  /** The expected values after reading. */
  decode(values: Float32Array): Float32Array;
}

/** Writes values that are exact in binary16 as its bits. */
const half = (power: number) => Buffer.from(Uint16Array.of((15 + power) << 10).buffer);
const nibbles = (values: Float32Array, quantise: (value: number) => number) =>
  Buffer.from(
    Array.from({ length: 16 }, (_, j) => quantise(values[j] as number) | (quantise(values[j + 16] as number) << 4)),
  );
const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, Math.round(value)));

const types: Record<string, Stored> = {
  F32: { type: 0, encode: (values) => Buffer.from(values.slice().buffer), decode: (values) => values },
  Q4_0: {
    type: 2,
    encode: (values) => Buffer.concat([half(-6), nibbles(values, (value) => clamp(value * 64, -8, 7) + 8)]),
    decode: (values) => values.map((value) => clamp(value * 64, -8, 7) / 64 + 0),
  },
  Q4_1: {
    type: 3,
    encode: (values) =>
      Buffer.concat([half(-6), half(-4), nibbles(values, (value) => clamp((value - 1 / 16) * 64, 0, 15))]),
    decode: (values) => values.map((value) => clamp((value - 1 / 16) * 64, 0, 15) / 64 + 1 / 16),
  },
  Q8_0: {
    type: 8,
    encode: (values) =>
      Buffer.concat([half(-9), Buffer.from(Int8Array.from(values, (value) => clamp(value * 512, -128, 127)).buffer)]),
    decode: (values) => values.map((value) => clamp(value * 512, -128, 127) / 512 + 0),
  },
};

const ggufNames: [RegExp, string][] = [
  [/^model\.embed_tokens/, "token_embd"],
  [/^model\.norm/, "output_norm"],
  [/^lm_head/, "output"],
  [/^model\.layers\.(\d+)\.input_layernorm/, "blk.$1.attn_norm"],
  [/^model\.layers\.(\d+)\.post_attention_layernorm/, "blk.$1.ffn_norm"],
  [/^model\.layers\.(\d+)\.self_attn\.([qkv])_proj/, "blk.$1.attn_$2"],
  [/^model\.layers\.(\d+)\.self_attn\.o_proj/, "blk.$1.attn_output"],
  [/^model\.layers\.(\d+)\.mlp\.(\w+)_proj/, "blk.$1.ffn_$2"],
];
const ggufName = (name: string) => ggufNames.reduce((so, [from, to]) => so.replace(from, to), name);

/** Reorders rows (head, half, i) to (head, i, half). */
function interleave({ shape, values }: Tensor, heads: number): Tensor {
  const [rows = 1, columns = 1] = shape;
  const size = rows / heads;
  const order = Array.from({ length: rows }, (_, row) => {
    const within = row % size;
    return row - within + (within % 2) * (size / 2) + (within >> 1);
  });
  return {
    shape,
    values: Float32Array.from(order.flatMap((row) => [...values.subarray(row * columns, (row + 1) * columns)])),
  };
}

const isMatrix = ({ shape }: Tensor) => shape.length === 2;
const blocks = (values: Float32Array) =>
  Array.from({ length: values.length / 32 }, (_, i) => values.subarray(32 * i, 32 * i + 32));

const metadata: Record<string, Value> = {
  "general.architecture": aText("llama"),
  "llama.embedding_length": aNumber(32),
  "llama.feed_forward_length": aNumber(64),
  "llama.block_count": aNumber(2),
  "llama.attention.head_count": aNumber(4),
  "llama.attention.head_count_kv": aNumber(2),
  "llama.context_length": aNumber(64),
  "llama.attention.layer_norm_rms_epsilon": aFloat(2 ** -16),
};
const config = { ...configs.llama, intermediate_size: 64, rms_norm_eps: 2 ** -16 };

function gguf(tensors: Map<string, Tensor>, stored: Stored, more: Record<string, Value> = {}): Buffer {
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [name, tensor] of tensors) {
    const heads = name.includes("q_proj") ? 4 : name.includes("k_proj") ? 2 : 0;
    const { shape, values } = heads > 0 ? interleave(tensor, heads) : tensor;
    const { type, encode } = isMatrix(tensor) ? stored : (types.F32 as Stored);
    const bytes = Buffer.concat(blocks(values).map((block) => encode(block)));
    infos.push(text(ggufName(name)), u32(shape.length), ...shape.toReversed().map(u64), u32(type), u64(offset));
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 31)]);
    offset += padded.length;
    data.push(padded);
  }
  const entries = Object.entries({ ...metadata, ...more });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    ...[u32(3), u64(tensors.size), u64(entries.length)],
    ...entries.flatMap(([name, { type, bytes }]) => [text(name), u32(type), bytes]),
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(-head.length & 31), ...data]);
}

test.each(Object.keys(types))("tensors of type %s are decoded as the format specifies", async (name) => {
  const stored = types[name] as Stored;
  const tensors = randomTensors(config);
  const path = join(folder, `${name}.gguf`);
  writeFileSync(path, gguf(tensors, stored));
  const model = await engine.loadModel(path);
  const decoded = new Map(
    [...tensors].map(([key, tensor]) => [
      key,
      { ...tensor, values: isMatrix(tensor) ? stored.decode(tensor.values) : tensor.values },
    ]),
  );
  for (const { name: key } of model.parameters) {
    expect({ key, values: await model.parameter(key) }).toEqual({ key, values: decoded.get(key)?.values });
  }
  const same = await engine.loadModel(writeCheckpoint(join(folder, name), config, decoded));
  const [ours, theirs] = await Promise.all(
    [model, same].map(async (each) => (await each.trainer({ maxTokens: 8 })).score({ tokens: [1, 2, 3, 4] })),
  );
  expect(ours).toEqual(theirs);
  model.close();
  same.close();
});

test.each<[string, (path: string) => void, string]>([
  ["a truncated file", (path) => truncateSync(path, readFileSync(path).length - 40), "to end at byte"],
  ["a file that ends within its head", (path) => truncateSync(path, 200), "a complete GGUF head"],
  ["a file of another format", (path) => writeFileSync(path, "text that is no GGUF"), "a GGUF file"],
  [
    "an unsupported architecture",
    (path) => writeFileSync(path, gguf(new Map(), types.F32 as Stored, { "general.architecture": aText("mamba") })),
    "general.architecture",
  ],
  [
    "an unknown block type",
    (path) => writeFileSync(path, gguf(randomTensors(config), { ...(types.F32 as Stored), type: 12 })),
    "GGML type 12",
  ],
  [
    "an unknown metadata type",
    (path) => writeFileSync(path, gguf(new Map(), types.F32 as Stored, { x: { type: 77, bytes: u32(1) } })),
    "a known type",
  ],
  ...[0, 12].map((alignment): [string, (path: string) => void, string] => [
    `an alignment of ${alignment}`,
    (path) =>
      writeFileSync(
        path,
        gguf(randomTensors(config), types.F32 as Stored, { "general.alignment": aNumber(alignment) }),
      ),
    "a multiple of 8",
  ]),
  [
    "an array that would fill the memory",
    (path) => {
      const head = { x: { type: 9, bytes: Buffer.concat([u32(0), u64(2 ** 26)]) } };
      writeFileSync(path, gguf(new Map(), types.F32 as Stored, head));
      truncateSync(path, 2 ** 27);
    },
    "at most 16777216 values",
  ],
  [
    "a tensor named like an inherited property of objects",
    (path) => {
      const tensors = randomTensors(config);
      const vector = { shape: [32], values: new Float32Array(32) };
      writeFileSync(path, gguf(tensors.set("constructor", vector), types.F32 as Stored));
    },
    "constructor",
  ],
  [
    "a file without some tensors",
    (path) => writeFileSync(path, gguf(new Map([...randomTensors(config)].slice(0, 6)), types.F32 as Stored)),
    "but received none",
  ],
])("%s fails with NATIVE_FORMAT", async (title, write, message) => {
  const path = join(folder, `${title.replaceAll(" ", "-")}.gguf`);
  writeFileSync(path, gguf(randomTensors(config), types.F32 as Stored));
  write(path);
  const failure = await engine.loadModel(path).catch((error: unknown) => error);
  expect(failure).toEqual(code("NATIVE_FORMAT"));
  expect((failure as Error).message).toContain(message);
});

/** 61 tokens: the end token, letters, a space (Ġ) and some merges. */
const letters = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
const vocabulary = ["<|end|>", "Ġ", ...letters, "he", "ll", "hell", "hello", "Ġhello", "é", "Ã"].slice(0, 61);
const tokenizerMetadata = {
  "tokenizer.ggml.model": aText("gpt2"),
  "tokenizer.ggml.pre": aText("gpt-2"),
  "tokenizer.ggml.tokens": texts(vocabulary),
  "tokenizer.ggml.token_type": numbers(vocabulary.map((_, id) => (id === 0 ? 3 : 1))),
  "tokenizer.ggml.merges": texts(["h e", "l l", "he ll", "hell o", "Ġ hello"]),
  "tokenizer.ggml.eos_token_id": aNumber(0),
  "tokenizer.chat_template": aText("{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"),
};

test("the tokenizer of a file encodes, decodes, renders chats, knows the end token, and is saved with the model", async () => {
  const path = join(folder, "tokenizer.gguf");
  writeFileSync(path, gguf(randomTensors(config), types.F32 as Stored, tokenizerMetadata));
  const model = await engine.loadModel(path);
  await model.save(join(folder, "with-tokenizer"));
  const saved = await engine.loadModel(join(folder, "with-tokenizer"));
  for (const { tokenizer } of [model, saved]) {
    if (!tokenizer) throw new Error("expected a tokenizer");
    const ids = ["hello", "Ġhello", "<|end|>"].map((token) => vocabulary.indexOf(token));
    expect([...tokenizer.encode("hello hello<|end|>")]).toEqual(ids);
    expect(tokenizer.decode(ids)).toBe("hello hello<|end|>");
    expect(tokenizer.decode(ids, { skipSpecialTokens: true })).toBe("hello hello");
    expect([...tokenizer.encodeChat([{ role: "user", content: "hello" }])]).toEqual([ids[0], ids[2]]);
    expect(tokenizer.endTokens).toEqual([0]);
    const { bytes, offsets } = tokenizer.bytes(61);
    const written = (id: number) => Buffer.from(bytes.subarray(Number(offsets[id]), Number(offsets[id + 1])));
    expect(written(ids[1] as number).toString()).toBe(" hello");
    expect([...written(vocabulary.indexOf("é"))]).toEqual([0xe9]);
  }

  const generator = await model.generator({ kvBytes: 1 << 20 });
  const free = await generator.submit({ tokens: [5], maxNewTokens: 30, seed: 3, stopTokens: [] }).result;
  const whole = model.tokenizer?.decode(free.tokens) ?? "";
  const stop = whole.slice(4, 6);
  const { tokens, finish } = await generator.submit({
    tokens: [5],
    maxNewTokens: 30,
    seed: 3,
    stopTokens: [],
    stopStrings: [stop],
  }).result;
  expect(finish).toBe("stop-string");
  expect(model.tokenizer?.decode(tokens)).toContain(stop);
  expect(model.tokenizer?.decode(tokens.subarray(0, -1))).not.toContain(stop);
  expect([...model.endTokens]).toEqual([0]);
  model.close();
  saved.close();
});

test("a tokenizer with more tokens than the head has rows fails with NATIVE_FORMAT", async () => {
  const path = join(folder, "wide.gguf");
  const wide = {
    ...tokenizerMetadata,
    "tokenizer.ggml.tokens": texts([...vocabulary, "more"]),
    "tokenizer.ggml.token_type": numbers(Array(62).fill(1)),
  };
  writeFileSync(path, gguf(randomTensors(config), types.F32 as Stored, wide));
  await expect(engine.loadModel(path)).rejects.toEqual(code("NATIVE_FORMAT"));
});
