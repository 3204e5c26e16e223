/** Text, token by token: many sequences at once, which share each step of the model. */
import type { Addon, GeneratorHandle } from "../addon/addon.js";
import { closed, fromAddon, NativeError } from "../addon/errors.js";
import { checkOptions, integer, oneOf, optional, type SignalOption, signal, signalOf } from "../format/options.js";
import type { Model } from "./model.js";
import { type GeneratorOptions, type Request, rawOptions, rawRequest } from "./request.js";
import { type SampledToken, Sequence } from "./sequence.js";

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
  /** How long there was no sequence under way since the generator was made. */
  idleSeconds: number;
}

/** In the order of the C ABI; the one after them is a step that failed. */
const finishes = [undefined, "stop-token", "stop-string", "length", "context", "aborted", "failed"] as const;

/** Generators with sequences under way: what awaits a result alone does not keep its generator. */
const busy = new Set<Generator>();

export class Generator {
  readonly #model: Model;
  readonly #handle: GeneratorHandle;
  /** Those under way. Others are their holders' alone, and are released with them if not before. */
  readonly #sequences = new Map<number, Sequence>();
  readonly #forgotten = new FinalizationRegistry<number>((name) => this.#release(name));
  #isClosed = false;
  #idleMs = 0;
  /** Undefined while a sequence is under way. */
  #idleSince: number | undefined = performance.now();

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

  /**
   * Begins a sequence. Its keys and values are kept past its end, for `extend`, until it is released, or collected as
   * garbage, or others need their room. Those of a prompt that such a sequence began with, too, are shared with it and
   * not computed again. Fails with NATIVE_INVALID_ARGUMENT, and with NATIVE_CANCELLED where the signal
   * is aborted already.
   */
  submit(request: Request): Sequence {
    const [sequence] = this.submitGroup(request, 1);
    return sequence as Sequence;
  }

  /** Begins several of one prompt, which draw from streams of their own. */
  submitGroup(request: Request, count: number): Sequence[] {
    const { raw, end } = rawRequest(this.#model, request, 1);
    integer(1, 2 ** 16)(count, "count");
    const names = this.#use((addon, handle) => addon.submit(handle, raw, count));
    return Array.from(names, (name) => {
      const sequence: Sequence = new Sequence(name, raw.tokens, {
        abort: () => this.#abort(name),
        release: () => this.#release(name),
        extend: (more) => this.#extend(sequence, more),
      });
      this.#forgotten.register(sequence, name);
      this.#begin(sequence, end);
      return sequence;
    });
  }

  /** Ends once no step is under way; from then on none is made until `resume`. Sequences keep what they have. */
  async pause(options: SignalOption = {}): Promise<void> {
    await this.#wait(signalOf("pause", options), (addon, handle, ticket) => addon.pause(handle, ticket));
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
    const statistics = this.#use((addon, handle) => addon.describeGenerator(handle));
    const idleSeconds = (this.#idleMs + this.#idleNow()) / 1_000;
    return { ...statistics, idleSeconds } as unknown as GeneratorStatistics;
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
    for (const sequence of this.#sequences.values()) {
      sequence.fail(failure);
      this.#end(sequence);
    }
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

  #extend(sequence: Sequence, request: Request): void {
    const { raw, end } = rawRequest(this.#model, request, 0);
    this.#use((addon, handle) => addon.extend(handle, sequence.id, raw));
    sequence.begin(raw.tokens);
    this.#begin(sequence, end);
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
      this.#end(sequence);
    }
  }

  /** Why the last step failed. */
  #failure(): NativeError {
    return fromAddon(this.#use((addon, handle) => addon.generatorFailure(handle))) as NativeError;
  }

  /** Sequences under way keep the process alive. */
  #begin(sequence: Sequence, end: AbortSignal | undefined): void {
    this.#sequences.set(sequence.id, sequence);
    sequence.endOn(end);
    if (this.#sequences.size > 1) return;
    this.#idleMs += this.#idleNow();
    this.#idleSince = undefined;
    busy.add(this);
    this.#model.engine.keepAlive(1);
  }

  #end(sequence: Sequence): void {
    this.#sequences.delete(sequence.id);
    if (this.#sequences.size > 0) return;
    this.#idleSince = performance.now();
    busy.delete(this);
    this.#model.engine.keepAlive(-1);
  }

  /** Milliseconds since the last sequence ended, while there is none. */
  #idleNow(): number {
    return this.#idleSince === undefined ? 0 : performance.now() - this.#idleSince;
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
