/** Writes a model as a GGUF file of version 3, with matrices in f32, f16 or bf16. Vectors stay f32, as llama.cpp writes them. */
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { RawParameter } from "../addon/addon.js";
import { misformed, NativeError } from "../addon/errors.js";
import { headsOf, toGgufName } from "./gguf.js";
import { type GgufValue, numberOf, realOf, string, textOf, u32, u64 } from "./gguf-metadata.js";
import { ggufTokenizer } from "./gguf-tokenizer-writer.js";
import type { HfConfig, ModelConfig } from "./hf-config.js";
import type { Tokenizer } from "./tokenizer.js";

export const ggufTypes = ["f32", "f16", "bf16"] as const;
export type GgufType = (typeof ggufTypes)[number];

/** Numbers of GGML for the type of a tensor, and for `general.file_type`. */
const numbers: Record<GgufType, { tensor: number; file: number; bytes: number }> = {
  f32: { tensor: 0, file: 0, bytes: 4 },
  f16: { tensor: 1, file: 1, bytes: 2 },
  bf16: { tensor: 30, file: 32, bytes: 2 },
};
const alignment = 32;

export interface GgufModel {
  readonly hfConfig: HfConfig;
  readonly config: ModelConfig;
  readonly tokenizer: Tokenizer | undefined;
  readonly parameters: readonly RawParameter[];
  /** Returns a parameter's values, row-major. */
  read(name: string): Promise<Float32Array>;
}

/** Writes the file completely or not at all. Fails with NATIVE_IO, and with NATIVE_FORMAT for what GGUF cannot state. */
export async function writeGguf(path: string, model: GgufModel, dtype: GgufType): Promise<void> {
  const head = headOf(model, dtype);
  const temporary = `${path}.${process.pid}.part`;
  try {
    const file = await open(temporary, "w");
    try {
      await file.write(head);
      for (const parameter of written(model)) await writeTensor(file, model, parameter, dtype);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof NativeError) throw error;
    throw new NativeError("NATIVE_IO", `expected to write ${path}, but received: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** GGUF has no place for a critic's head. */
function written({ parameters }: GgufModel): RawParameter[] {
  return parameters.filter(({ name }) => !name.startsWith("value_head."));
}

function typeOf({ isVector }: RawParameter, dtype: GgufType): GgufType {
  return isVector ? "f32" : dtype;
}

function headOf(model: GgufModel, dtype: GgufType): Buffer {
  const entries = Object.entries(metadataOf(model, dtype));
  const tensors = written(model);
  let offset = 0;
  const infos = tensors.map((parameter) => {
    const { name, rows, columns, isVector } = parameter;
    const type = numbers[typeOf(parameter, dtype)];
    const dimensions = isVector ? [columns] : [columns, rows];
    const start = offset;
    offset += padded(rows * columns * type.bytes);
    const shape = [u32(dimensions.length), ...dimensions.map(u64)];
    return Buffer.concat([string(toGgufName(name)), ...shape, u32(type.tensor), u64(start)]);
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    ...[u32(3), u64(tensors.length), u64(entries.length)],
    ...entries.flatMap(([name, { type, bytes }]) => [string(name), u32(type), bytes]),
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(padded(head.length) - head.length)]);
}

const padded = (bytes: number) => Math.ceil(bytes / alignment) * alignment;

function metadataOf({ hfConfig, config, tokenizer }: GgufModel, dtype: GgufType): Record<string, GgufValue> {
  if (config.ropeScaling === 2) throw misformed("a model without llama3 rope scaling, to write as GGUF", "one with it");
  const architecture = config.qkNorm ? "qwen3" : config.qkvBias ? "qwen2" : "llama";
  const own: Record<string, GgufValue> = {
    block_count: numberOf(config.layers),
    context_length: numberOf(config.maxPositions),
    embedding_length: numberOf(config.hiddenSize),
    feed_forward_length: numberOf(config.intermediateSize),
    "attention.head_count": numberOf(config.heads),
    "attention.head_count_kv": numberOf(config.keyValueHeads),
    "attention.key_length": numberOf(config.headSize),
    "attention.value_length": numberOf(config.headSize),
    "attention.layer_norm_rms_epsilon": realOf(config.rmsNormEpsilon),
    "rope.dimension_count": numberOf(config.headSize),
    "rope.freq_base": realOf(config.ropeTheta),
    vocab_size: numberOf(config.vocabSize),
    ...(config.ropeScaling === 1 && {
      "rope.scaling.type": textOf("linear"),
      "rope.scaling.factor": realOf(config.ropeFactor),
    }),
  };
  const { eos_token_id: ends } = hfConfig;
  const [end, turnEnd] = [ends].flat().filter((id) => typeof id === "number");
  return {
    "general.architecture": textOf(architecture),
    "general.type": textOf("model"),
    "general.alignment": numberOf(alignment),
    "general.file_type": numberOf(numbers[dtype].file),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`${architecture}.${name}`, value])),
    ...(tokenizer ? ggufTokenizer(tokenizer, config.vocabSize) : { "tokenizer.ggml.model": textOf("none") }),
    ...(end !== undefined && { "tokenizer.ggml.eos_token_id": numberOf(end) }),
    ...(turnEnd !== undefined && { "tokenizer.ggml.eot_token_id": numberOf(turnEnd) }),
  };
}

async function writeTensor(file: FileHandle, model: GgufModel, parameter: RawParameter, dtype: GgufType) {
  const { name, rows, columns } = parameter;
  const heads = model.config.qkNorm || model.config.qkvBias ? 0 : headsOf(toGgufName(name), model.config);
  const values = interleaved(await model.read(name), heads, rows, columns);
  const bytes = encode(values, typeOf(parameter, dtype));
  await file.write(Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]));
}

/** Orders the rows of each head as 0, h/2, 1, h/2 + 1, ..., as GGUF has the queries and keys of Llama. @param heads 0: unchanged */
function interleaved(values: Float32Array, heads: number, rows: number, columns: number): Float32Array {
  if (heads === 0) return values;
  const size = rows / heads;
  const ordered = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    const within = row % size;
    const from = row - within + (within % 2) * (size / 2) + (within >> 1);
    ordered.set(values.subarray(from * columns, (from + 1) * columns), row * columns);
  }
  return ordered;
}

function encode(values: Float32Array, type: GgufType): Buffer {
  if (type === "f32") return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const rounded = Uint16Array.from(bits, type === "bf16" ? bf16Of : f16Of);
  return Buffer.from(rounded.buffer);
}

/** Rounds the bits of an f32 to the nearest bf16, ties to even. */
function bf16Of(bits: number): number {
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** Rounds the bits of an f32 to the nearest f16, ties to even. Numbers above the range become infinity. */
function f16Of(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x47800000) return sign | 0x7c00;
  // Below the smallest normal f16, the mantissa with its leading one is shifted to the fixed exponent 2^-24.
  const isSmall = size < 0x38800000;
  const shift = isSmall ? Math.min(126 - (size >>> 23), 31) : 13;
  const mantissa = isSmall ? (size & 0x7fffff) | 0x800000 : size - 0x38000000;
  const half = 2 ** (shift - 1);
  const kept = Math.floor(mantissa / 2 ** shift);
  const rest = mantissa - kept * 2 ** shift;
  return sign | (kept + Number(rest > half || (rest === half && kept % 2 === 1)));
}
