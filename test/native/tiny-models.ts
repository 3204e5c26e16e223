/** Small random checkpoints in Hugging Face's layout, written without the code under test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect } from "vitest";
import { Engine, type EngineInfo, type EngineOptions, NativeError } from "#palestra/native/api/index.js";

export type Json = Record<string, unknown>;

const common = {
  vocab_size: 61,
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  max_position_embeddings: 64,
  rms_norm_eps: 1e-5,
};

export const configs: Record<"llama" | "qwen2" | "qwen3", Json> = {
  llama: { ...common, model_type: "llama", architectures: ["LlamaForCausalLM"] },
  qwen2: { ...common, model_type: "qwen2", tie_word_embeddings: true },
  qwen3: { ...common, model_type: "qwen3", head_dim: 16 },
};

/** A model whose pass over the whole context takes milliseconds, for calls that are cancelled while they run. */
export const slower: Json = { ...configs.llama, vocab_size: 2048, hidden_size: 256, intermediate_size: 1024 };
export const contextOfSlower = new Int32Array(common.max_position_embeddings).fill(7);

export interface Tensor {
  shape: number[];
  values: Float32Array;
}

/** Returns the names and shapes of a checkpoint, as `transformers` writes them. */
export function randomTensors(config: Json, seed = 1): Map<string, Tensor> {
  const {
    vocab_size: v,
    hidden_size: h,
    intermediate_size: i,
    num_attention_heads: q,
    num_key_value_heads: k,
  } = config as Record<string, number> & typeof common;
  const size = (config.head_dim as number | undefined) ?? h / q;
  const tensors = new Map<string, Tensor>();
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const add = (name: string, ...shape: number[]) => {
    const center = name.includes("norm") ? 1 : 0;
    const count = shape.reduce((product, length) => product * length, 1);
    tensors.set(name, { shape, values: Float32Array.from({ length: count }, () => center + 0.2 * random()) });
  };
  add("model.embed_tokens.weight", v, h);
  for (let layer = 0; layer < common.num_hidden_layers; layer += 1) {
    const at = (name: string, ...shape: number[]) => add(`model.layers.${layer}.${name}`, ...shape);
    at("input_layernorm.weight", h);
    at("post_attention_layernorm.weight", h);
    for (const [name, rows] of Object.entries({ q: q * size, k: k * size, v: k * size })) {
      at(`self_attn.${name}_proj.weight`, rows, h);
      if (config.model_type === "qwen2") at(`self_attn.${name}_proj.bias`, rows);
    }
    if (config.model_type === "qwen3") {
      at("self_attn.q_norm.weight", size);
      at("self_attn.k_norm.weight", size);
    }
    at("self_attn.o_proj.weight", h, q * size);
    at("mlp.gate_proj.weight", i, h);
    at("mlp.up_proj.weight", i, h);
    at("mlp.down_proj.weight", h, i);
  }
  add("model.norm.weight", h);
  if (config.tie_word_embeddings !== true) add("lm_head.weight", v, h);
  return tensors;
}

export function safetensors(tensors: Iterable<[string, Tensor]>): Buffer {
  const header: Json = {};
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [name, { shape, values }] of tensors) {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    header[name] = { dtype: "F32", shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
    parts.push(bytes);
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...parts]);
}

/** Writes a checkpoint; if sharded, as two files with an index. */
export function writeCheckpoint(
  folder: string,
  config: Json,
  tensors = randomTensors(config),
  { sharded = false } = {},
): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  if (!sharded) {
    writeFileSync(join(folder, "model.safetensors"), safetensors(tensors));
    return folder;
  }
  const all = [...tensors];
  const map: Record<string, string> = {};
  for (const [index, part] of [all.slice(0, 5), all.slice(5)].entries()) {
    const file = `model-0000${index + 1}-of-00002.safetensors`;
    writeFileSync(join(folder, file), safetensors(part));
    for (const [name] of part) map[name] = file;
  }
  writeFileSync(join(folder, "model.safetensors.index.json"), JSON.stringify({ weight_map: map }));
  return folder;
}

/** Makes a folder for the tests of a file, and removes it after them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palestra-native-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Not on a GPU, since an emulated driver must be loaded before the machine's own driver.
const missing = await Engine.create({ device: "cpu", threads: 1 }).then(
  (engine) => engine.close(),
  (error: unknown) => {
    if (error instanceof NativeError && error.code === "NATIVE_MISSING") return error.message;
    throw error;
  },
);

/** Skips the tests of a file when the engine is not built. */
export function needsEngine(): void {
  beforeEach((context) => {
    if (missing) context.skip(missing);
  });
}

/** Makes the engine of a test file; its tests are skipped when the engine is not built. */
export async function engineOfFile(threads: number, options: EngineOptions = {}): Promise<Engine> {
  needsEngine();
  if (missing) return undefined as never;
  const engine = await Engine.create({ threads, ...options });
  afterAll(() => engine.close());
  return engine;
}

export const code = (name: string) => expect.objectContaining({ name: "NativeError", code: name });

/**
 * Expects two computations of log-probabilities to agree: bit for bit on a CPU in float, elsewhere up to the rounding of
 * the factors.
 */
export function expectSameLogprobs({ device, dtype }: EngineInfo, actual: Float32Array, expected: Float32Array): void {
  if (device === "cpu" && dtype === "f32") return expect(actual).toEqual(expected);
  expectNear(dtype, actual, expected);
}

/** Expects the same for computations that also round differently in float. */
export function expectNear(dtype: EngineInfo["dtype"], actual: Float32Array, expected: Float32Array): void {
  expect(actual).toHaveLength(expected.length);
  for (const [at, value] of expected.entries()) expect(actual[at]).toBeCloseTo(value, dtype === "f32" ? 4 : 1);
}
