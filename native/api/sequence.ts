/** One sequence of a generator: its tokens as they come, and its result. */
import { invalid, NativeError } from "../addon/errors.js";
import { onAbort } from "./on-abort.js";
import type { Request } from "./request.js";

export interface SampledToken {
  token: number;
  /** Nats, under the distribution that it was sampled from: after temperature, mask, top-k, top-p and min-p. */
  logprob: number;
  /** Nats, under the model's distribution at the temperature, as `Trainer.score` gives it. */
  modelLogprob: number;
  /** Of the weights that it was sampled with. */
  version: number;
}

/**
 * Why a sequence ended: at a stop token or string (which are part of it), after `maxNewTokens`, at the end of the
 * context, by `abort`, or since the model gave no finite numbers.
 */
export type Finish = "stop-token" | "stop-string" | "length" | "context" | "aborted" | "failed";

/** What was sampled since the submission or the last extension. (sampled tokens) each. */
export interface SequenceResult {
  tokens: Int32Array;
  logprobs: Float32Array;
  modelLogprobs: Float32Array;
  versions: Int32Array;
  finish: Finish;
}

/** What the generator does for its sequences. */
interface Commands {
  abort(): void;
  release(): void;
  extend(request: Request): void;
}

export class Sequence implements AsyncIterable<SampledToken> {
  readonly #commands: Commands;
  readonly #name: number;
  #before: Int32Array;
  #sampled: SampledToken[] = [];
  #state: "running" | "ended" | "released" = "running";
  #outcome: Finish | NativeError | undefined;
  #result = deferred<SequenceResult>();
  #wake = deferred<void>();
  #stopListening = () => {};

  /** @internal */
  constructor(name: number, prompt: Int32Array, commands: Commands) {
    this.#name = name;
    this.#before = prompt.slice();
    this.#commands = commands;
    this.#result.promise.catch(() => {});
  }

  /** Of the generator's, from 1 on. */
  get id(): number {
    return this.#name;
  }

  /** All of it: prompts, extensions and what was sampled. */
  get tokens(): Int32Array {
    const all = new Int32Array(this.#before.length + this.#sampled.length);
    all.set(this.#before);
    for (const [index, { token }] of this.#sampled.entries()) all[this.#before.length + index] = token;
    return all;
  }

  /**
   * Of this submission or extension. Fails with NATIVE_CLOSED where the generator is closed before the end, and with
   * NATIVE_OUT_OF_MEMORY or whatever else ended the step that carried it; it may be extended then.
   */
  get result(): Promise<SequenceResult> {
    return this.#result.promise;
  }

  /**
   * The tokens of this submission or extension, from its first on, until its end. Whoever stops listening leaves it
   * running: `abort` ends it.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<SampledToken> {
    const sampled = this.#sampled;
    for (let next = 0; ; ) {
      const token = sampled[next];
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

  /** Ends it; what was sampled stays, and it may be extended. Nothing where it has ended. */
  abort(): void {
    if (this.#state === "running") this.#commands.abort();
  }

  /**
   * Goes on after its end: with these further tokens (which may be none), keys and values kept. The options are those of
   * a submission anew. Fails with NATIVE_INVALID_ARGUMENT where it is under way or was released.
   */
  extend(request: Request): Promise<SequenceResult> {
    if (this.#state !== "ended")
      throw invalid("a sequence that has ended and was not released", `one that is ${this.#state}`);
    this.#commands.extend(request);
    return this.result;
  }

  /** Gives its keys and values back; it may not be extended any more. Twice is fine. */
  release(): void {
    if (this.#state === "released") return;
    this.#commands.release();
    this.#state = "released";
  }

  /** @internal */
  begin(tokens: Int32Array): void {
    const so = this.tokens;
    this.#before = new Int32Array(so.length + tokens.length);
    this.#before.set(so);
    this.#before.set(tokens, so.length);
    this.#sampled = [];
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
  add(sampled: SampledToken): void {
    this.#sampled.push(sampled);
    this.#rouse();
  }

  /** @internal */
  end(finish: Finish): void {
    this.#settle(finish);
    const column = (of: (sampled: SampledToken) => number) => this.#sampled.map(of);
    this.#result.resolve({
      tokens: Int32Array.from(column(({ token }) => token)),
      logprobs: Float32Array.from(column(({ logprob }) => logprob)),
      modelLogprobs: Float32Array.from(column(({ modelLogprob }) => modelLogprob)),
      versions: Int32Array.from(column(({ version }) => version)),
      finish,
    });
  }

  /** @internal */
  fail(error: NativeError): void {
    this.#settle(error);
    this.#result.reject(error);
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
  let settle: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as unknown as Omit<Deferred<T>, "promise">) };
}
