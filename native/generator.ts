/** Text, token by token: many sequences at once, which share each step of the model. */
import type { Addon, GeneratorHandle, RawRequest } from "./addon.js";
import { closed, fromAddon, invalid, NativeError } from "./errors.js";
import type { Model } from "./model.js";
import {
  type Check,
  checkOptions,
  instance,
  integer,
  listOf,
  number,
  numberAbove,
  oneOf,
  optional,
  seed,
  signal,
  string,
  tokenIds,
} from "./options.js";
import { type SampledToken, Sequence } from "./sequence.js";
import { Trainer } from "./trainer.js";

export interface GeneratorOptions {
  /** Sequences that are decoded side by side; others wait. Default 64. */
  maxSequences?: number;
  /** Rows of one step: a token of each sequence, and chunks of prompts. Default 256, or maxSequences. */
  maxRows?: number;
  /** Memory for keys and values, in bytes. Default: half of what the engine has free. */
  kvBytes?: number;
  /** Of the generator's own copy of the weights. Default `f32`: then log-probabilities are the trainer's to the bit. */
  weights?: "f32" | "bf16";
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
  /** Default: those of the model's tokenizer. They are part of the result. */
  stopTokens?: Int32Array | number[];
  /** They end a sequence once what it sampled contains one. They need a tokenizer. */
  stopStrings?: string[];
  /** The ids of the tokens that may be sampled. Default: all. */
  allowedTokens?: Int32Array | number[];
  /** Aborts the sequences. */
  signal?: AbortSignal;
}

export interface GeneratorStatistics {
  steps: number;
  /** Positions: sampled, computed of prompts, and of prompts taken from a sibling. */
  decodedTokens: number;
  prefilledTokens: number;
  sharedTokens: number;
  /** How often pages were taken from a sequence, which computes them again. */
  preemptions: number;
  pages: number;
  freePages: number;
  /** Sequences that are decoded, that wait, and that have ended and were not released. */
  running: number;
  waiting: number;
  kept: number;
  /** Of the weights. */
  version: number;
}

/** In the order of the C ABI; the one after them is a step that failed. */
const finishes = [undefined, "stop-token", "stop-string", "length", "context", "aborted", "failed"] as const;

/** Generators with sequences under way: what awaits a result alone does not keep its generator. */
const busy = new Set<Generator>();

export class Generator {
  readonly #model: Model;
  readonly #handle: GeneratorHandle;
  readonly #sequences = new Map<number, Sequence>();
  #live = 0;
  #isClosed = false;

  private constructor(model: Model, handle: GeneratorHandle) {
    this.#model = model;
    this.#handle = handle;
    model.adopt(this);
  }

  /** @internal */
  static async create(model: Model, options: GeneratorOptions): Promise<Generator> {
    const { adapters, raw } = rawOptions(model, options);
    // Weakly, since the engine would keep what nobody else holds any more.
    let self: WeakRef<Generator> | undefined;
    const handle = await model.create((addon, own) =>
      addon.createGenerator(own, adapters?.handle ?? null, raw, (...events) => {
        const listening = self?.deref();
        if (listening) listening.#receive(...events);
      }),
    );
    const generator = new Generator(model, handle);
    self = new WeakRef(generator);
    generator.#setVocabulary();
    return generator;
  }

  /** Begins a sequence. Fails with NATIVE_INVALID_ARGUMENT. */
  submit(request: Request): Sequence {
    const [sequence] = this.submitGroup(request, 1);
    return sequence as Sequence;
  }

  /** Begins several that have their prompt in common: its keys and values are computed and kept once. */
  submitGroup(request: Request, count: number): Sequence[] {
    const { raw, end } = this.#rawRequest(request, 1);
    integer(1, 2 ** 16)(count, "count");
    const names = this.#use((addon, handle) => addon.submit(handle, raw, count));
    return Array.from(names, (name) => {
      const sequence = new Sequence(name, raw.tokens, {
        abort: () => this.#abort(name),
        release: () => this.#release(name),
        extend: (more) => this.#extend(name, more),
      });
      this.#sequences.set(name, sequence);
      this.#begin(1);
      sequence.endOn(end);
      return sequence;
    });
  }

  /** Ends once no step is under way; from then on none is made until `resume`. Sequences keep what they have. */
  async pause(options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#wait(options.signal, (addon, handle, ticket) => addon.pause(handle, ticket));
  }

  resume(): void {
    this.#use((addon, handle) => addon.resume(handle));
  }

  /**
   * Takes over the model's weights after what trainers have queued, between two steps. Sequences under way go on with
   * them; each token tells the version that it was sampled with.
   * @param options.kv `keep`: keys and values of the tokens so far stay those of older weights; `recompute`: they are
   *   computed again. Default `keep`
   */
  async update(options: { kv?: "keep" | "recompute"; signal?: AbortSignal } = {}): Promise<void> {
    const { kv, ...rest } = checkOptions("the options of update", options, {
      kv: optional(oneOf(["keep", "recompute"]), "keep"),
      signal: optional(signal, undefined),
    });
    await this.#wait(rest.signal, (addon, handle, ticket) => addon.update(handle, kv === "keep" ? 0 : 1, ticket));
  }

  stats(): GeneratorStatistics {
    return this.#use((addon, handle) => addon.describeGenerator(handle)) as unknown as GeneratorStatistics;
  }

  /** Sequences under way fail with NATIVE_CLOSED. */
  close(): void {
    if (this.#isClosed) return;
    this.#use((addon, handle) => addon.closeGenerator(handle));
    this.#isClosed = true;
    this.#model.disown(this);
    const failure = new NativeError(
      "NATIVE_CLOSED",
      "expected an open generator, but it was closed under its sequences",
    );
    for (const sequence of this.#sequences.values()) if (sequence.fail(failure)) this.#begin(-1);
    this.#sequences.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #setVocabulary(): void {
    const { tokenizer, config } = this.#model;
    if (!tokenizer) return;
    const { bytes, offsets } = tokenizer.bytes(config.vocabSize);
    this.#use((addon, handle) => addon.setVocabulary(handle, bytes, offsets));
  }

  #extend(name: number, request: Request): void {
    const { raw, end } = this.#rawRequest(request, 0);
    this.#use((addon, handle) => addon.extend(handle, name, raw));
    const sequence = this.#sequences.get(name);
    sequence?.begin(raw.tokens);
    this.#begin(1);
    sequence?.endOn(end);
  }

  #abort(name: number): void {
    if (!this.#isClosed) this.#use((addon, handle) => addon.abort(handle, name));
  }

  #release(name: number): void {
    if (this.#isClosed) return;
    this.#use((addon, handle) => addon.release(handle, name));
  }

  #receive(
    names: Float64Array,
    tokens: Int32Array,
    ends: Int32Array,
    logprobs: Float32Array,
    modelLogprobs: Float32Array,
    versions: Float64Array,
  ): void {
    for (const [index, name] of names.entries()) {
      const sequence = this.#sequences.get(name);
      if (!sequence) continue;
      const at = (column: ArrayLike<number>) => column[index] as number;
      const sampled: SampledToken = {
        token: at(tokens),
        logprob: at(logprobs),
        modelLogprob: at(modelLogprobs),
        version: at(versions),
      };
      if (sampled.token >= 0) sequence.add(sampled);
      if (at(ends) === 0) continue;
      const finish = finishes[at(ends)];
      if (finish) sequence.end(finish);
      else sequence.fail(this.#failure());
      if (sequence.isReleased) this.#sequences.delete(name);
      this.#begin(-1);
    }
  }

  /** Why the last step failed. */
  #failure(): NativeError {
    return fromAddon(this.#use((addon, handle) => addon.generatorFailure(handle))) as NativeError;
  }

  /** Counts sequences under way: they keep the process alive. */
  #begin(change: 1 | -1): void {
    const was = this.#live;
    this.#live += change;
    if (was > 0 === this.#live > 0) return;
    if (this.#live > 0) busy.add(this);
    else busy.delete(this);
    this.#model.engine.keepAlive(change);
  }

  #rawRequest(request: Request, fewestTokens: number): { raw: RawRequest; end: AbortSignal | undefined } {
    const { config, tokenizer } = this.#model;
    const checked = checkOptions("the request", request, {
      tokens: tokenIds,
      maxNewTokens: optional(integer(1, 2 ** 31 - 1), config.maxPositions),
      temperature: optional(number(0, 1e6), 1),
      topK: optional(integer(0, 2 ** 31 - 1), 0),
      topP: optional(numberAbove(0), 1),
      minP: optional(number(0, 1), 0),
      seed: optional(seed, 0n),
      stream: optional(seed, 0n),
      stopTokens: optional(tokenIds, Int32Array.from(tokenizer?.endTokens ?? [])),
      stopStrings: optional(listOf(string), [] as string[]),
      allowedTokens: optional(tokenIds, undefined),
      signal: optional(signal, undefined),
    });
    const { allowedTokens, signal: end, ...rest } = checked;
    if (rest.tokens.length < fewestTokens) throw invalid("tokens of at least one token", rest.tokens);
    const allowed = allowedTokens ? bitsOf(allowedTokens, config.vocabSize) : null;
    if (end?.aborted)
      throw new NativeError("NATIVE_CANCELLED", "expected a signal that is not aborted", { cause: end.reason });
    return { raw: { ...rest, allowed }, end };
  }

  #use<T>(work: (addon: Addon, handle: GeneratorHandle) => T): T {
    if (this.#isClosed) throw closed("generator");
    return this.#model.use((addon) => work(addon, this.#handle));
  }

  async #wait(
    end: AbortSignal | undefined,
    work: (addon: Addon, handle: GeneratorHandle, ticket: number) => Promise<void>,
  ): Promise<void> {
    if (this.#isClosed) throw closed("generator");
    await this.#model.wait(end, (addon, _, ticket) => work(addon, this.#handle, ticket));
  }
}

function rawOptions(model: Model, options: GeneratorOptions) {
  const { adapters, weights, maxSequences, maxRows, kvBytes } = checkOptions("the options of a generator", options, {
    maxSequences: optional(integer(1, 2 ** 16), 64),
    maxRows: optional(integer(1, 2 ** 16), undefined),
    kvBytes: optional(integer(1, Number.MAX_SAFE_INTEGER), undefined),
    weights: optional(oneOf(["f32", "bf16"]), "f32"),
    adapters: optional(instance(Trainer, "a Trainer"), undefined),
  });
  const { memoryBudget, memoryUsed } = model.engine.info();
  const raw = {
    maxSequences,
    maxRows: maxRows ?? Math.max(256, maxSequences),
    kvBytes: kvBytes ?? Math.floor((memoryBudget - memoryUsed) / 2),
    weights: weights === "f32" ? 0 : 1,
  };
  return { adapters, raw };
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
