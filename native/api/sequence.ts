/** One sequence of a generator, with its tokens as they arrive, and its result. */
import { invalid, NativeError } from "../addon/errors.js";
import { onAbort } from "./on-abort.js";
import type { Request } from "./request.js";
import { type SampledToken, SampledTokens, type TopToken } from "./sampled-tokens.js";

/**
 * Reason why a sequence ended. The reasons are a stop token or stop string (both are part of the result),
 * `maxNewTokens`, the end of the context, `abort`, and `failed`: a NaN or infinity in the model's output, or a grammar whose
 * text no token of the vocabulary can continue.
 */
export type Finish = "stop-token" | "stop-string" | "length" | "context" | "aborted" | "failed";

/** All tokens sampled since the submission or the last extension. Each array has the shape [sampled tokens]. */
export interface SequenceResult {
  tokens: Int32Array;
  logprobs: Float32Array;
  modelLogprobs: Float32Array;
  versions: Int32Array;
  /** Top tokens of each sampled token, if the request asked for them. */
  tops?: readonly (readonly TopToken[])[];
  finish: Finish;
}

/** The generator's methods for one of its sequences. */
interface Commands {
  abort(): void;
  release(): void;
  extend(request: Request): void;
}

export class Sequence implements AsyncIterable<SampledToken> {
  readonly #commands: Commands;
  readonly #name: number;
  /**
   * Prompts, extensions and earlier samples. The array is never modified, since the sequences of one group share it.
   */
  #before: Int32Array;
  #sampled = new SampledTokens();
  #state: "running" | "ended" | "released" = "running";
  #outcome: Finish | NativeError | undefined;
  #result = deferred<SequenceResult>();
  #wake = deferred<void>();
  #stopListening = () => {};

  /** @internal @param prompt array that is not modified afterwards */
  constructor(name: number, prompt: Int32Array, commands: Commands) {
    this.#name = name;
    this.#before = prompt;
    this.#commands = commands;
    this.#result.promise.catch(() => {});
  }

  /** Number of the sequence in its generator, from 1. */
  get id(): number {
    return this.#name;
  }

  /** All tokens: prompts, extensions and samples. */
  get tokens(): Int32Array {
    return this.#tokensAnd(0);
  }

  /**
   * Result of this submission or extension. The promise fails with NATIVE_CLOSED when the generator is closed before the
   * end. When a step fails, the promise fails with the error of the step, such as NATIVE_OUT_OF_MEMORY, and the sequence can
   * be extended afterwards.
   */
  get result(): Promise<SequenceResult> {
    return this.#result.promise;
  }

  /**
   * Yields all tokens of this submission or extension. Leaving the loop does not end the sequence. Call `abort` to end
   * the sequence.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<SampledToken> {
    const sampled = this.#sampled;
    for (let next = 0; ; ) {
      const token = sampled.at(next);
      if (token) {
        next += 1;
        yield token;
      } else if (sampled !== this.#sampled || this.#outcome !== undefined) {
        if (sampled === this.#sampled && this.#outcome instanceof NativeError) throw this.#outcome;
        return;
      } else {
        await this.#wake.promise;
      }
    }
  }

  /** Ends the sequence, which keeps its samples and can be extended. Has no effect on an ended sequence. */
  abort(): void {
    if (this.#state === "running") this.#commands.abort();
  }

  /**
   * Continues an ended sequence with further tokens (or none). Keys and values are kept. Options of the earlier request
   * are not inherited. Fails with NATIVE_INVALID_ARGUMENT while the sequence runs and after the sequence is released.
   */
  extend(request: Request): Promise<SequenceResult> {
    if (this.#state !== "ended")
      throw invalid("a sequence that has ended and is not released", `a sequence that is ${this.#state}`);
    this.#commands.extend(request);
    return this.result;
  }

  /** Frees keys and values, after which the sequence cannot be extended. A second call does nothing. */
  release(): void {
    if (this.#state === "released") return;
    this.#commands.release();
    this.#state = "released";
  }

  /** @internal Starts an extension with these tokens. */
  begin(tokens: Int32Array): void {
    const before = this.#tokensAnd(tokens.length);
    before.set(tokens, before.length - tokens.length);
    this.#before = before;
    this.#sampled = new SampledTokens();
    this.#outcome = undefined;
    this.#state = "running";
    this.#result = deferred<SequenceResult>();
    this.#result.promise.catch(() => {});
  }

  /** @internal */
  endOn(signal: AbortSignal | undefined): void {
    this.#stopListening = onAbort(signal, () => this.abort());
  }

  /** @internal */
  add(token: number, logprob: number, modelLogprob: number, version: number, top?: readonly TopToken[]): void {
    this.#sampled.add(token, logprob, modelLogprob, version, top);
    this.#rouse();
  }

  /** @internal */
  end(finish: Finish): void {
    this.#settle(finish);
    this.#result.resolve({ ...this.#sampled.columns(), finish });
  }

  /** @internal */
  fail(error: NativeError): void {
    this.#settle(error);
    this.#result.reject(error);
  }

  /** Returns an array of all tokens, with `more` unset entries at the end. */
  #tokensAnd(more: number): Int32Array {
    const all = new Int32Array(this.#before.length + this.#sampled.length + more);
    all.set(this.#before);
    this.#sampled.copyTokens(all, this.#before.length);
    return all;
  }

  #settle(outcome: Finish | NativeError): void {
    this.#stopListening();
    this.#outcome = outcome;
    if (this.#state === "running") this.#state = "ended";
    this.#rouse();
  }

  #rouse(): void {
    const { resolve } = this.#wake;
    this.#wake = deferred<void>();
    resolve();
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  const made: Partial<Deferred<T>> = {};
  made.promise = new Promise<T>((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return made as Deferred<T>;
}
