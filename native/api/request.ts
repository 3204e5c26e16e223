/** What generators and their sequences are asked for: options, checked and as the addon takes them. */
import type { RawRequest } from "../addon/addon.js";
import { invalid, NativeError } from "../addon/errors.js";
import {
  type Check,
  checkOptions,
  dtypes,
  instance,
  integer,
  listOf,
  number,
  numberOf,
  oneOf,
  optional,
  seed,
  signal,
  string,
  tokenIds,
} from "../format/options.js";
import type { Model } from "./model.js";
import { Trainer } from "./trainer.js";

/** In the order of the C ABI. */
const keyValueFormats = ["plain", "fp8"] as const;

export interface GeneratorOptions {
  /** Sequences that are decoded side by side; others wait. Default 64. */
  maxSequences?: number;
  /** Rows of one step: a token of each sequence, and chunks of prompts. Default 256, or maxSequences. */
  maxRows?: number;
  /** Memory for keys and values, in bytes. Default: half of what the engine has free. */
  kvBytes?: number;
  /**
   * Of the generator's own copy of the weights. Default: as the engine computes; then log-probabilities are the trainer's
   * to the bit on a CPU. On CUDA there is no other.
   */
  weights?: "f32" | "bf16";
  /** How keys and values are kept: as the activations are, by default, or as `fp8` (e4m3) in half the room, on CUDA. */
  keysValues?: "plain" | "fp8";
  /** A trainer with LoRA, whose adapters it goes through. */
  adapters?: Trainer;
}

export interface Request {
  /** The prompt, as token ids. */
  tokens: Int32Array | number[];
  /** Default: up to the end of the context. */
  maxNewTokens?: number;
  /** 0: the likeliest token. Default 1. */
  temperature?: number;
  /** 0, the default: all. */
  topK?: number;
  /** Default 1. */
  topP?: number;
  /** Of the likeliest token's probability (Nguyen et al. 2024). Default 0. */
  minP?: number;
  /** With `stream` and the position it gives the draw: the same ones give the same tokens, whatever runs beside. */
  seed?: number | bigint;
  /** Sequence i of a submission draws from stream + i. Default 0. */
  stream?: number | bigint;
  /** Default: the model's `endTokens`. The one that ends a sequence is part of the result. */
  stopTokens?: Int32Array | number[];
  /** They end a sequence once what it sampled contains one. They need a tokenizer. */
  stopStrings?: string[];
  /** The ids of the tokens that may be sampled. Default: all. */
  allowedTokens?: Int32Array | number[];
  /** Aborts the sequences. */
  signal?: AbortSignal;
}

export function rawOptions(model: Model, options: GeneratorOptions) {
  const checked = checkOptions("the options of a generator", options, {
    maxSequences: optional(integer(1, 2 ** 16), 64),
    maxRows: optional(integer(1, 2 ** 16), undefined),
    kvBytes: optional(integer(1, Number.MAX_SAFE_INTEGER), undefined),
    weights: optional(oneOf(dtypes), null),
    keysValues: optional(oneOf(keyValueFormats), "plain"),
    adapters: optional(instance(Trainer, "a Trainer"), undefined),
  });
  const { adapters, weights, keysValues, maxSequences, maxRows, kvBytes } = checked;
  const { memoryBudget, memoryUsed } = model.engine.info();
  const raw = {
    maxSequences,
    maxRows: maxRows ?? Math.max(256, maxSequences),
    kvBytes: kvBytes ?? Math.floor((memoryBudget - memoryUsed) / 2),
    weights: numberOf(weights),
    keysValues: keyValueFormats.indexOf(keysValues),
  };
  return { adapters, raw };
}

/** @param fewestTokens 1 to begin a sequence, 0 to go on with one */
export function rawRequest(
  { config, endTokens }: Model,
  request: Request,
  fewestTokens: number,
): { raw: RawRequest; end: AbortSignal | undefined } {
  const checked = checkOptions("the request", request, {
    tokens: tokenIds,
    maxNewTokens: optional(integer(1, 2 ** 31 - 1), config.maxPositions),
    temperature: optional(number(0, 1e6), 1),
    topK: optional(integer(0, 2 ** 31 - 1), 0),
    topP: optional(number(Number.EPSILON, 1), 1),
    minP: optional(number(0, 1), 0),
    seed: optional(seed, 0n),
    stream: optional(seed, 0n),
    stopTokens: optional(tokenIds, Int32Array.from(endTokens)),
    stopStrings: optional(listOf(string), [] as string[]),
    allowedTokens: optional(tokenIds, undefined),
    signal: optional(signal, undefined),
  });
  const { allowedTokens, signal: end, ...rest } = checked;
  if (rest.tokens.length < fewestTokens) throw invalid("tokens of at least one token", rest.tokens);
  const allowed = allowedTokens ? bitsOf(allowedTokens, config.vocabSize) : null;
  if (end?.aborted) {
    throw new NativeError("NATIVE_CANCELLED", "expected a signal that is not aborted", { cause: end.reason });
  }
  return { raw: { ...rest, allowed }, end };
}

/** A bit each token of the vocabulary. */
const bitsOf = (tokens: Int32Array, vocabulary: number): Uint32Array => {
  const bits = new Uint32Array(Math.ceil(vocabulary / 32));
  const check: Check<number> = integer(0, vocabulary - 1);
  for (const token of tokens) {
    check(token, "allowedTokens");
    bits[token >> 5] = (bits[token >> 5] ?? 0) | (1 << (token & 31));
  }
  return bits;
};
