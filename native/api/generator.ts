/**
 * Generates text token by token. A generator decodes many sequences together: each step of the model is a batch of
 * their tokens.
 */
import type { Addon, GeneratorHandle, RawTops } from "../addon/addon.js";
import { fromAddon, invalid, NativeError } from "../addon/errors.js";
import type { RawGeneratorStatistics } from "../addon/structs.js";
import { check, oneOf, type SignalOption, signal, signalOf, table } from "../format/options.js";
import type { Handle } from "./handle.js";
import { type Decoder, type GeneratorOptions, type Request, rawOptions, rawRequest } from "./request.js";
import type { TopToken } from "./sampled-tokens.js";
import { Sequence } from "./sequence.js";

export interface GeneratorStatistics extends RawGeneratorStatistics {
  /** Number of model steps so far. */
  steps: number;
  /** Number of sampled positions. */
  decodedTokens: number;
  /** Number of prompt positions that were computed. */
  prefilledTokens: number;
  /** Number of prompt positions whose keys and values another sequence had already computed. */
  sharedTokens: number;
  /**
   * Number of preemptions. A preempted sequence gives its key-value pages to another sequence and recomputes them
   * later.
   */
  preemptions: number;
  pages: number;
  freePages: number;
  /** Number of sequences that are being decoded. */
  running: number;
  /** Number of sequences that wait for a free slot or for memory. */
  waiting: number;
  /** Number of ended sequences that are not yet released. */
  kept: number;
  /** Version of the weights. */
  version: number;
  /** Seconds without a running sequence since the generator was created. */
  idleSeconds: number;
}

/**
 * Reasons for the end of a sequence, in the order of the C ABI. The number after the last reason means that a step
 * failed.
 */
const finishes = [undefined, "stop-token", "stop-string", "length", "context", "aborted", "failed"] as const;

const mostSequences = 2 ** 16;

const updateTable = table({ kv: oneOf(["keep", "recompute"]).default("keep"), signal: signal.optional() });

/** Generators with running sequences. The set keeps them alive for callers that only await a result. */
const busy = new Set<Generator>();

export class Generator {
  readonly #model: Decoder;
  readonly #handle: Handle<GeneratorHandle>;
  /**
   * Running sequences by number. Only callers refer to an ended sequence, which is released when it is
   * garbage-collected.
   */
  readonly #sequences = new Map<number, Sequence>();
  readonly #forgotten = new FinalizationRegistry<number>((name) => this.#release(name));
  #idleMs = 0;
  /** Time at which the generator became idle. Undefined while a sequence runs. */
  #idleSince: number | undefined = performance.now();

  private constructor(model: Decoder, handle: Handle<GeneratorHandle>) {
    this.#model = model;
    this.#handle = handle;
    handle.onClose(() => this.#failSequences());
  }

  /** @internal */
  static async create(model: Decoder, options: GeneratorOptions): Promise<Generator> {
    const { adapters, raw } = rawOptions(model.engine, options);
    // The reference is weak because the addon holds its listener. A strong reference would keep the generator alive
    // forever.
    let self: WeakRef<Generator> | undefined;
    const handle = await model.handle.create(
      "generator",
      (addon, own) =>
        addon.createGenerator(own, adapters?.handle.raw ?? null, raw, (...events) => {
          const listening = self?.deref();
          if (listening) listening.#receive(...events);
        }),
      (addon, own) => addon.closeGenerator(own),
    );
    const generator = new Generator(model, handle);
    self = new WeakRef(generator);
    generator.#setVocabulary();
    return generator;
  }

  /**
   * Starts a sequence. The sequence keeps its keys and values after its end, so that `extend` can continue it. The
   * generator frees the keys and values when the sequence is released or garbage-collected, or when other sequences
   * need the memory. Sequences that begin with the same prompt share the keys and values of the prompt. Fails with
   * NATIVE_INVALID_ARGUMENT when the request is invalid, and with NATIVE_CANCELLED when the signal is already aborted.
   */
  submit(request: Request): Sequence {
    const [sequence] = this.submitGroup(request, 1);
    return sequence as Sequence;
  }

  /** Starts several sequences with one prompt. Each sequence draws from a random stream of its own. */
  submitGroup(request: Request, count: number): Sequence[] {
    const { raw, end } = rawRequest(this.#model, request, 1);
    if (!Number.isInteger(count) || count < 1 || count > mostSequences) {
      throw invalid(`count to be an integer from 1 to ${mostSequences}`, count);
    }
    const names = this.#handle.use((addon, handle) => addon.submit(handle, raw, count));
    // The prompt is copied, since the caller may write to its own array later.
    const prompt = raw.tokens === request.tokens ? raw.tokens.slice() : raw.tokens;
    return Array.from(names, (name) => {
      const sequence: Sequence = new Sequence(name, prompt, {
        abort: () => this.#abort(name),
        release: () => this.#release(name),
        extend: (more) => this.#extend(sequence, more),
      });
      this.#forgotten.register(sequence, name);
      this.#begin(sequence, end);
      return sequence;
    });
  }

  /** Pauses generation until `resume` is called. Resolves once no step is running. Sequences keep their state. */
  async pause(options: SignalOption = {}): Promise<void> {
    await this.#handle.wait(signalOf("pause", options), (addon, handle, ticket) => addon.pause(handle, ticket));
  }

  resume(): void {
    this.#handle.use((addon, handle) => addon.resume(handle));
  }

  /**
   * Copies the model's current weights between two steps, after the jobs that trainers have queued. Running sequences
   * continue with the new weights. Each token carries the version of the weights that sampled it.
   * @param options.kv `keep`, the default, keeps the keys and values that older weights computed; `recompute` computes
   *   the keys and values again
   */
  async update(options: { kv?: "keep" | "recompute"; signal?: AbortSignal } = {}): Promise<void> {
    const { kv, signal: end } = check("the options of update", updateTable, options);
    await this.#handle.wait(end, (addon, handle, ticket) => addon.update(handle, kv === "keep" ? 0 : 1, ticket));
  }

  stats(): GeneratorStatistics {
    const statistics = this.#handle.use((addon, handle) => addon.describeGenerator(handle));
    return Object.assign(statistics, { idleSeconds: (this.#idleMs + this.#idleNow()) / 1_000 });
  }

  /** Closes the generator. Running sequences fail with NATIVE_CLOSED. */
  close(): void {
    void this.#handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #failSequences(): void {
    const failure = new NativeError("NATIVE_CLOSED", "The generator was closed while the sequence was running.");
    for (const sequence of this.#sequences.values()) {
      sequence.fail(failure);
      this.#end(sequence);
    }
  }

  #setVocabulary(): void {
    const { tokenizer, config } = this.#model;
    if (!tokenizer) return;
    const { bytes, offsets } = tokenizer.bytes(config.vocabSize);
    const special = tokenizer.special(config.vocabSize);
    this.#handle.use((addon, handle) => addon.setVocabulary(handle, bytes, offsets, special));
  }

  #extend(sequence: Sequence, request: Request): void {
    const { raw, end } = rawRequest(this.#model, request, 0);
    this.#handle.use((addon, handle) => addon.extend(handle, sequence.id, raw));
    sequence.begin(raw.tokens);
    this.#begin(sequence, end);
  }

  #abort(name: number): void {
    this.#unlessClosed((addon, handle) => addon.abort(handle, name));
  }

  #release(name: number): void {
    this.#unlessClosed((addon, handle) => addon.release(handle, name));
  }

  #unlessClosed(work: (addon: Addon, handle: GeneratorHandle) => void): void {
    if (!this.#handle.isClosed) this.#handle.use(work);
  }

  /** Receives the events of one or more steps, with one row per sampled token and per ended sequence. */
  #receive(
    names: Float64Array,
    tokens: Int32Array,
    ends: Int32Array,
    logprobs: Float32Array,
    modelLogprobs: Float32Array,
    versions: Float64Array,
    tops: RawTops | undefined,
  ): void {
    let firstTop = 0;
    for (let row = 0; row < names.length; row += 1) {
      const at = (column: ArrayLike<number>) => column[row] as number;
      const top = tops && topTokens(tops, firstTop, at(tops.counts));
      firstTop += top?.length ?? 0;
      const sequence = this.#sequences.get(at(names));
      if (!sequence) continue;
      if (at(tokens) >= 0) {
        sequence.add(at(tokens), at(logprobs), at(modelLogprobs), at(versions), top?.length ? top : undefined);
      }
      if (at(ends) === 0) continue;
      const finish = finishes[at(ends)];
      if (finish) sequence.end(finish);
      else sequence.fail(this.#failure());
      this.#end(sequence);
    }
  }

  /** Returns the error of the last step that failed. */
  #failure(): NativeError {
    return fromAddon(this.#handle.use((addon, handle) => addon.generatorFailure(handle))) as NativeError;
  }

  /** Registers a running sequence. The process stays alive while at least one is registered. */
  #begin(sequence: Sequence, end: AbortSignal | undefined): void {
    this.#sequences.set(sequence.id, sequence);
    sequence.endOn(end);
    if (this.#sequences.size > 1) return;
    this.#idleMs += this.#idleNow();
    this.#idleSince = undefined;
    busy.add(this);
    this.#handle.keepAlive(1);
  }

  #end(sequence: Sequence): void {
    this.#sequences.delete(sequence.id);
    if (this.#sequences.size > 0) return;
    this.#idleSince = performance.now();
    busy.delete(this);
    this.#handle.keepAlive(-1);
  }

  /** Milliseconds since the last sequence ended. 0 while a sequence runs. */
  #idleNow(): number {
    return this.#idleSince === undefined ? 0 : performance.now() - this.#idleSince;
  }
}

function topTokens({ tokens, logprobs }: RawTops, first: number, count: number): TopToken[] {
  return Array.from({ length: count }, (_, at) => ({
    token: tokens[first + at] as number,
    logprob: logprobs[first + at] as number,
  }));
}
