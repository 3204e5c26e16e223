/** Reads the metadata and the tensor locations of GGUF files, versions 2 and 3. The engine reads the tensors. */
import { open } from "node:fs/promises";
import type { RawSource } from "../addon/addon.js";
import { misformed, unreadable } from "../addon/errors.js";
import type { HfConfig } from "./hf-config.js";

type Value = number | bigint | boolean | string | Value[];

/** Metadata in the header of a file: names and values. */
export type GgufMetadata = ReadonlyMap<string, Value>;

export interface GgufFile {
  metadata: GgufMetadata;
  config: HfConfig;
  /** Tensors with the names that they have in Hugging Face's layout. */
  sources: RawSource[];
}

/** Tensor types by GGML's type number. `type` is the `dtype` of `palestra_tensor_source`. */
const tensorTypes: Record<number, { type: number; values: number; bytes: number; name: string }> = {
  0: { type: 0, values: 1, bytes: 4, name: "F32" },
  1: { type: 2, values: 1, bytes: 2, name: "F16" },
  2: { type: 16, values: 32, bytes: 18, name: "Q4_0" },
  3: { type: 17, values: 32, bytes: 20, name: "Q4_1" },
  8: { type: 18, values: 32, bytes: 34, name: "Q8_0" },
  28: { type: 3, values: 1, bytes: 8, name: "F64" },
  30: { type: 1, values: 1, bytes: 2, name: "BF16" },
};

const firstRead = 8 << 20;
const mostHeadBytes = 1 << 30;
const deepestArray = 4;
/** Limit on the number of metadata values in a file. The largest vocabularies have under a million tokens. */
const mostValues = 1 << 24;

/** Value that the reader throws when the header is longer than the bytes read so far. */
const needsMore = Symbol("needs more");

export async function readGguf(path: string): Promise<GgufFile> {
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  try {
    const { size } = await file.stat();
    for (let length = firstRead; ; length *= 2) {
      const bytes = Buffer.alloc(Math.min(length, size));
      await file.read(bytes, 0, bytes.length, 0);
      try {
        return parse(new Reader(bytes), path, size);
      } catch (error) {
        if (error !== needsMore) throw error;
        if (bytes.length === size || length >= mostHeadBytes)
          throw misformed(`a complete GGUF head in ${path}`, `${size} bytes`);
      }
    }
  } finally {
    await file.close();
  }
}

class Reader {
  offset = 0;
  #values = 0;
  constructor(readonly bytes: Buffer) {}

  take(length: number): number {
    const start = this.offset;
    if (start + length > this.bytes.length) throw needsMore;
    this.offset += length;
    return start;
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.take(4));
  }

  /** Reads a count or an offset, which is below 2^53 in every real file. */
  uint64(): number {
    return Number(this.bytes.readBigUInt64LE(this.take(8)));
  }

  string(): string {
    const length = this.uint64();
    const start = this.take(length);
    return this.bytes.toString("utf8", start, start + length);
  }

  value(type: number, depth = 0): Value {
    const scalar = scalars[type];
    if (scalar) return scalar(this);
    if (type !== 9 || depth >= deepestArray) throw misformed("a known type of GGUF metadata", type);
    const items = this.uint32();
    const count = this.uint64();
    this.#values += count;
    if (this.#values > mostValues) throw misformed(`GGUF metadata of at most ${mostValues} values`, this.#values);
    if (count > this.bytes.length - this.offset) throw needsMore;
    return Array.from({ length: count }, () => this.value(items, depth + 1));
  }
}

/** Readers of scalars, by GGUF's type number. */
const scalars: Record<number, (reader: Reader) => Value> = {
  0: (r) => r.bytes.readUInt8(r.take(1)),
  1: (r) => r.bytes.readInt8(r.take(1)),
  2: (r) => r.bytes.readUInt16LE(r.take(2)),
  3: (r) => r.bytes.readInt16LE(r.take(2)),
  4: (r) => r.uint32(),
  5: (r) => r.bytes.readInt32LE(r.take(4)),
  6: (r) => r.bytes.readFloatLE(r.take(4)),
  7: (r) => r.bytes.readUInt8(r.take(1)) !== 0,
  8: (r) => r.string(),
  10: (r) => r.bytes.readBigUInt64LE(r.take(8)),
  11: (r) => r.bytes.readBigInt64LE(r.take(8)),
  12: (r) => r.bytes.readDoubleLE(r.take(8)),
};

function parse(reader: Reader, path: string, fileSize: number): GgufFile {
  const magic = reader.take(4);
  if (reader.bytes.toString("latin1", magic, magic + 4) !== "GGUF")
    throw misformed(`a GGUF file at ${path}`, "another format");
  const version = reader.uint32();
  if (version !== 2 && version !== 3) throw misformed(`the GGUF version of ${path} to be 2 or 3`, version);
  const tensors = reader.uint64();
  const entries = reader.uint64();
  const metadata = new Map<string, Value>();
  for (let i = 0; i < entries; i += 1) {
    const name = reader.string();
    metadata.set(name, reader.value(reader.uint32()));
  }
  const infos: TensorInfo[] = [];
  for (let i = 0; i < tensors; i += 1) infos.push(readInfo(reader));
  const alignment = numberAt(metadata, "general.alignment", 32);
  if (!(alignment >= 8 && alignment % 8 === 0)) throw misformed("general.alignment to be a multiple of 8", alignment);
  const dataStart = Math.ceil(reader.offset / alignment) * alignment;
  const config = configOf(metadata, infos);
  const sources = infos.map((info) => sourceOf(info, config, { path, dataStart, fileSize }));
  return { metadata, config, sources };
}

interface TensorInfo {
  name: string;
  /** Dimensions of the tensor, the fastest-varying first. */
  dimensions: number[];
  type: number;
  offset: number;
}

function readInfo(reader: Reader): TensorInfo {
  const name = reader.string();
  const count = reader.uint32();
  if (count < 1 || count > 4) throw misformed(`tensor ${name} to have one to four dimensions`, count);
  const dimensions = Array.from({ length: count }, () => reader.uint64());
  return { name, dimensions, type: reader.uint32(), offset: reader.uint64() };
}

function configOf(metadata: GgufMetadata, infos: TensorInfo[]): HfConfig {
  const architecture = metadata.get("general.architecture");
  if (architecture !== "llama" && architecture !== "qwen2" && architecture !== "qwen3") {
    throw misformed("general.architecture to be llama, qwen2 or qwen3", architecture);
  }
  const at = (name: string, otherwise?: number) => numberAt(metadata, `${architecture}.${name}`, otherwise);
  const [, vocabulary = 0] = infos.find(({ name }) => name === "token_embd.weight")?.dimensions ?? [];
  const heads = at("attention.head_count");
  const hidden = at("embedding_length");
  return {
    model_type: architecture,
    vocab_size: vocabulary,
    hidden_size: hidden,
    intermediate_size: at("feed_forward_length"),
    num_hidden_layers: at("block_count"),
    num_attention_heads: heads,
    num_key_value_heads: at("attention.head_count_kv", heads),
    head_dim: at("attention.key_length", hidden / heads),
    max_position_embeddings: at("context_length"),
    rms_norm_eps: at("attention.layer_norm_rms_epsilon"),
    rope_theta: at("rope.freq_base", 10_000),
    ...ropeScalingOf(metadata, architecture, infos),
    ...endOf(metadata),
    tie_word_embeddings: !infos.some(({ name }) => name === "output.weight"),
  };
}

/** Returns the token that begins a text, the token that ends it and, if different, the token that ends a turn. */
function endOf(metadata: GgufMetadata): HfConfig {
  const at = (name: string) => metadata.get(`tokenizer.ggml.${name}_token_id`);
  const first = at("bos");
  const known = [...new Set([at("eos"), at("eot")])].filter((id) => typeof id === "number");
  return {
    ...(typeof first === "number" && { bos_token_id: first }),
    ...(known.length > 0 && { eos_token_id: known.length === 1 ? known[0] : known }),
  };
}

function ropeScalingOf(metadata: GgufMetadata, architecture: string, infos: TensorInfo[]): HfConfig {
  const type = metadata.get(`${architecture}.rope.scaling.type`) ?? "none";
  // The rope scaling of Llama 3.1 is stored as a tensor of factors. The parameters of the scaling cannot be recovered from
  // the factors.
  if (infos.some(({ name }) => name === "rope_freqs.weight"))
    throw misformed("no rope_freqs.weight in a GGUF file", "one");
  if (type === "none") return {};
  if (type !== "linear") throw misformed("rope.scaling.type to be none or linear", type);
  return { rope_scaling: { rope_type: "linear", factor: numberAt(metadata, `${architecture}.rope.scaling.factor`) } };
}

function numberAt(metadata: GgufMetadata, name: string, otherwise?: number): number {
  const value = metadata.get(name) ?? otherwise;
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  throw misformed(`metadata ${name} to be a number`, value);
}

const namesInLayers = new Map([
  ["attn_norm", "input_layernorm"],
  ["attn_q", "self_attn.q_proj"],
  ["attn_k", "self_attn.k_proj"],
  ["attn_v", "self_attn.v_proj"],
  ["attn_q_norm", "self_attn.q_norm"],
  ["attn_k_norm", "self_attn.k_norm"],
  ["attn_output", "self_attn.o_proj"],
  ["ffn_norm", "post_attention_layernorm"],
  ["ffn_gate", "mlp.gate_proj"],
  ["ffn_up", "mlp.up_proj"],
  ["ffn_down", "mlp.down_proj"],
]);

const otherNames = new Map([
  ["token_embd.weight", "model.embed_tokens.weight"],
  ["output_norm.weight", "model.norm.weight"],
  ["output.weight", "lm_head.weight"],
]);

/** Returns the GGUF name of a parameter. */
export function toGgufName(name: string): string {
  const [, layer, module = "", end] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(name) ?? [];
  const keyOf = (names: ReadonlyMap<string, string>, wanted: string) =>
    [...names].find(([, other]) => other === wanted)?.[0];
  const known = layer === undefined ? keyOf(otherNames, name) : keyOf(namesInLayers, module);
  if (known) return layer === undefined ? known : `blk.${layer}.${known}.${end}`;
  throw misformed("parameters of a Llama, Qwen2 or Qwen3 model", name);
}

function nameOf(name: string): string {
  const [, layer, part = "", end] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name) ?? [];
  const known =
    layer === undefined
      ? otherNames.get(name)
      : namesInLayers.has(part) && `model.layers.${layer}.${namesInLayers.get(part)}.${end}`;
  if (known) return known;
  throw misformed("tensors of a Llama, Qwen2 or Qwen3 model", name);
}

function sourceOf(
  { name, dimensions, type, offset }: TensorInfo,
  config: HfConfig,
  { path, dataStart, fileSize }: { path: string; dataStart: number; fileSize: number },
): RawSource {
  const stored = tensorTypes[type];
  if (!stored) {
    const known = Object.values(tensorTypes).map((known) => known.name);
    throw misformed(`tensor ${name} to have one of the types ${known.join(", ")}`, `GGML type ${type}`);
  }
  const [columns = 1, rows = 1, ...rest] = dimensions;
  if (rest.some((size) => size !== 1)) throw misformed(`tensor ${name} to have one or two dimensions`, dimensions);
  const bytes = (rows * columns * stored.bytes) / stored.values;
  if (columns % stored.values !== 0)
    throw misformed(`tensor ${name} to have rows of whole blocks`, `${columns} columns`);
  if (dataStart + offset + bytes > fileSize) {
    throw misformed(
      `tensor ${name} to end at byte ${dataStart + offset + bytes} of ${path}`,
      `a file of ${fileSize} bytes`,
    );
  }
  const { num_attention_heads: heads, num_key_value_heads: keyValueHeads } = config as Record<string, number>;
  const interleavedHeads = config.model_type === "llama" ? headsOf(name, { heads, keyValueHeads }) : 0;
  return {
    name: nameOf(name),
    path,
    offset: dataStart + offset,
    bytes,
    type: stored.type,
    rows,
    columns,
    interleavedHeads,
  };
}

/** Returns the number of heads of a matrix whose rows Llama's files interleave, else 0. @param name the tensor's GGUF name */
export function headsOf(
  name: string,
  { heads = 0, keyValueHeads = 0 }: { heads?: number | undefined; keyValueHeads?: number | undefined },
): number {
  if (name.endsWith("attn_q.weight")) return heads;
  return name.endsWith("attn_k.weight") ? keyValueHeads : 0;
}
