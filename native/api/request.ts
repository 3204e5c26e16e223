/** Schemas of the options of generators and of requests for sequences, and their conversion for the addon. */
import { z } from "zod";
import type { EngineHandle, ModelHandle, RawRequest } from "../addon/addon.js";
import { invalid, NativeError } from "../addon/errors.js";
import type { RawGeneratorOptions } from "../addon/structs.js";
import type { ModelConfig } from "../format/hf-config.js";
import {
  check,
  dtypes,
  integer,
  listOf,
  number,
  numberOf,
  numbersByToken,
  oneOf,
  seed,
  signal,
  table,
  text,
  tokenIds,
} from "../format/options.js";
import type { Tokenizer } from "../format/tokenizer.js";
import { Grammar } from "../grammar/grammar.js";
import type { Handle } from "./handle.js";
import { type Trainer, trainerOption } from "./trainer.js";

/** The parts of a model that its generators use. */
export interface Decoder {
  readonly engine: Handle<EngineHandle>;
  readonly handle: Handle<ModelHandle>;
  readonly config: Readonly<ModelConfig>;
  readonly tokenizer: Tokenizer | undefined;
  readonly endTokens: readonly number[];
}

const noGrammar = new Int32Array();

/** Names of the key-value formats, in the order of the C ABI. */
const keyValueFormats = ["plain", "fp8"] as const;

export interface GeneratorOptions {
  /** Maximum number of sequences that are decoded at the same time. Further sequences wait. Default 64. */
  maxSequences?: number;
  /**
   * Largest number of rows in one model step. Each row is a token: the next token of a sequence, or part of a prompt.
   * Default: maxSequences, plus 256 rows of prompts on a CPU or 2048 on a GPU.
   */
  maxRows?: number;
  /** Memory for keys and values in bytes. Default: half of the engine's free memory. */
  kvBytes?: number;
  /**
   * Type of the generator's own copy of the weights. Default: the engine's type. On a CPU, log-probabilities then equal
   * the trainer's bit for bit. CUDA supports only the default.
   */
  weights?: "f32" | "bf16";
  /**
   * Storage of keys and values. `plain`, the default, uses the type of the activations. `fp8` (e4m3, CUDA only) takes half
   * the memory.
   */
  keysValues?: "plain" | "fp8";
  /** A trainer with LoRA, whose adapters the generator applies. */
  adapters?: Trainer;
}

export interface Request {
  /** The prompt, as token ids. */
  tokens: Int32Array | number[];
  /** Largest number of tokens to sample. Default: up to the end of the context. */
  maxNewTokens?: number;
  /** Temperature of sampling. 0 samples the most likely token. Default 1. */
  temperature?: number;
  /** Number of most probable tokens to keep. 0, the default, keeps all tokens. */
  topK?: number;
  /** Top-p: total probability that the kept tokens must reach. Default 1. */
  topP?: number;
  /**
   * Smallest probability of a kept token, as a fraction of the highest token probability (Nguyen et al. 2024). Default 0.
   */
  minP?: number;
  /**
   * Seed of the random draws. Seed, stream and position determine each draw. Equal values give equal tokens, even if other
   * sequences differ.
   */
  seed?: number | bigint;
  /** Random stream of the first sequence. Sequence i of the submission draws from stream + i. Default 0. */
  stream?: number | bigint;
  /** Tokens that end a sequence. The stop token is part of the result. Default: the model's `endTokens`. */
  stopTokens?: Int32Array | number[];
  /** Strings that end a sequence once its sampled text contains one of them. Stop strings need a tokenizer. */
  stopStrings?: string[];
  /** Ids of the tokens that may be sampled. Default: all tokens. */
  allowedTokens?: Int32Array | number[];
  /**
   * Grammar to which the sampled text is held, such as `new Grammar({ schema })`. Each token is sampled from the tokens with
   * which the text can still become one of the grammar's; a stop token is one of them where the text is complete.
   */
  grammar?: Grammar;
  /**
   * Number to subtract from the logits of the tokens that were sampled for this request, as in OpenAI's API. Default 0. The
   * changes of logits come before the temperature.
   */
  presencePenalty?: number;
  /** Number to subtract from these logits for each time that the token was sampled. Default 0. */
  frequencyPenalty?: number;
  /**
   * Divisor of the positive logits, and factor of the negative ones, of all tokens that occurred, also in the prompt
   * (Keskar et al. 2019). Default 1.
   */
  repetitionPenalty?: number;
  /** Numbers to add to the logits of tokens, by token. */
  logitBias?: Record<number, number>;
  /** Number of most probable tokens to report with each sampled token, up to 20. Default 0. */
  topTokens?: number;
  /** Signal that aborts the sequences. */
  signal?: AbortSignal;
}

const mostRows = 2 ** 16;

const optionsTable = table({
  maxSequences: integer(1, mostRows).default(64),
  maxRows: integer(1, mostRows).optional(),
  kvBytes: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  weights: oneOf(dtypes).optional(),
  keysValues: oneOf(keyValueFormats).default("plain"),
  adapters: trainerOption,
});

export function rawOptions(
  engine: Handle<EngineHandle>,
  options: GeneratorOptions,
): { adapters: Trainer | undefined; raw: RawGeneratorOptions } {
  const { adapters, weights, keysValues, maxSequences, maxRows, kvBytes } = check(
    "the options of a generator",
    optionsTable,
    options,
  );
  const { device, memoryBudget, memoryUsed } = engine.use((addon, raw) => addon.describeEngine(raw));
  const raw = {
    maxSequences,
    maxRows: maxRows ?? Math.min(maxSequences + (device === "cpu" ? 256 : 2048), mostRows),
    kvBytes: kvBytes ?? Math.floor((Number(memoryBudget) - Number(memoryUsed)) / 2),
    weights: numberOf(weights),
    keysValues: keyValueFormats.indexOf(keysValues),
  };
  return { adapters, raw };
}

/** Limit of OpenAI's API. */
const mostTopTokens = 20;

const requestTable = table({
  tokens: tokenIds,
  maxNewTokens: integer(1, 2 ** 31 - 1).optional(),
  temperature: number(0, 1e6).default(1),
  topK: integer(0, 2 ** 31 - 1).default(0),
  topP: number(Number.EPSILON, 1).default(1),
  minP: number(0, 1).default(0),
  seed: seed.default(0n),
  stream: seed.default(0n),
  stopTokens: tokenIds.optional(),
  stopStrings: listOf(text).default([]),
  allowedTokens: tokenIds.optional(),
  grammar: z.instanceof(Grammar, { error: "a Grammar" }).optional(),
  presencePenalty: number(-100, 100).default(0),
  frequencyPenalty: number(-100, 100).default(0),
  repetitionPenalty: number(1e-3, 1e3).default(1),
  logitBias: numbersByToken.default({}),
  topTokens: integer(0, mostTopTokens).default(0),
  signal: signal.optional(),
});

/** @param fewestTokens smallest number of tokens: 1 to begin a sequence, 0 to extend one */
export function rawRequest(
  { config, endTokens }: Decoder,
  request: Request,
  fewestTokens: number,
): { raw: RawRequest; end: AbortSignal | undefined } {
  const {
    maxNewTokens,
    stopTokens,
    allowedTokens,
    grammar,
    logitBias,
    signal: end,
    ...rest
  } = check("the request", requestTable, request);
  if (rest.tokens.length < fewestTokens) throw invalid("tokens to have at least one token", rest.tokens);
  const raw = {
    ...rest,
    maxNewTokens: maxNewTokens ?? config.maxPositions,
    stopTokens: stopTokens ?? Int32Array.from(endTokens),
    allowed: allowedTokens ? bitsOf(allowedTokens, config.vocabSize) : null,
    grammar: grammar?.table ?? noGrammar,
    ...biasesOf(logitBias, config.vocabSize),
  };
  if (end?.aborted) {
    throw new NativeError("NATIVE_CANCELLED", "The signal of the request is already aborted.", { cause: end.reason });
  }
  return { raw, end };
}

function biasesOf(biases: Record<string, number>, vocabulary: number): Pick<RawRequest, "biasTokens" | "biases"> {
  const tokens = Object.keys(biases).map(Number);
  const wrong = tokens.find((token) => token < 0 || token >= vocabulary);
  if (wrong !== undefined) throw invalid(`logitBias by tokens from 0 to ${vocabulary - 1}`, wrong);
  return { biasTokens: Int32Array.from(tokens), biases: Float32Array.from(Object.values(biases)) };
}

/** Returns a bit mask with one bit per token of the vocabulary. */
function bitsOf(tokens: Int32Array, vocabulary: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(vocabulary / 32));
  for (const token of tokens) {
    if (token < 0 || token >= vocabulary) {
      throw invalid(`allowedTokens to be integers from 0 to ${vocabulary - 1}`, token);
    }
    bits[token >> 5] = (bits[token >> 5] ?? 0) | (1 << (token & 31));
  }
  return bits;
}
