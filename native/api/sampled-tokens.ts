/** The tokens that a sequence has sampled, stored in columns. */

/** One of the most probable tokens at a position. */
export interface TopToken {
  token: number;
  /** Log-probability in nats, under the same distribution as `SampledToken.logprob`; when greedy, at temperature 1. */
  logprob: number;
}

export interface SampledToken {
  token: number;
  /**
   * Log-probability in nats, under the distribution from which the token was sampled: after penalties, biases, temperature,
   * mask, top-k, top-p and min-p.
   */
  logprob: number;
  /**
   * Log-probability in nats, under the model's distribution at the temperature, without mask and filters. Equals the
   * result of `Trainer.score`.
   */
  modelLogprob: number;
  /** Version of the weights with which the token was sampled. */
  version: number;
  /** Most probable tokens of the distribution, if the request asks for them. Tokens that were cut are left out. */
  top?: readonly TopToken[];
}

const firstCapacity = 32;

export class SampledTokens {
  #length = 0;
  #tokens = new Int32Array(firstCapacity);
  #logprobs = new Float32Array(firstCapacity);
  #modelLogprobs = new Float32Array(firstCapacity);
  #versions = new Int32Array(firstCapacity);
  /** Top tokens by position. Empty if the request does not ask for them. */
  readonly #tops: (readonly TopToken[])[] = [];

  get length(): number {
    return this.#length;
  }

  add(
    token: number,
    logprob: number,
    modelLogprob: number,
    version: number,
    top: readonly TopToken[] | undefined,
  ): void {
    const at = this.#length;
    if (top) this.#tops[at] = top;
    if (at === this.#tokens.length) this.#grow();
    this.#tokens[at] = token;
    this.#logprobs[at] = logprob;
    this.#modelLogprobs[at] = modelLogprob;
    this.#versions[at] = version;
    this.#length += 1;
  }

  at(index: number): SampledToken | undefined {
    if (index >= this.#length) return undefined;
    const top = this.#tops[index];
    return {
      ...(top && { top }),
      token: this.#tokens[index] as number,
      logprob: this.#logprobs[index] as number,
      modelLogprob: this.#modelLogprobs[index] as number,
      version: this.#versions[index] as number,
    };
  }

  /** Copies the tokens into an array, starting at an index of the array. */
  copyTokens(into: Int32Array, from: number): void {
    into.set(this.#tokens.subarray(0, this.#length), from);
  }

  /** Returns copies of the columns. */
  columns() {
    return {
      ...(this.#tops.length > 0 && { tops: [...this.#tops] }),
      tokens: this.#tokens.slice(0, this.#length),
      logprobs: this.#logprobs.slice(0, this.#length),
      modelLogprobs: this.#modelLogprobs.slice(0, this.#length),
      versions: this.#versions.slice(0, this.#length),
    };
  }

  #grow(): void {
    const grown = <Column extends Int32Array | Float32Array>(wider: Column, column: Column): Column => {
      wider.set(column);
      return wider;
    };
    const capacity = 2 * this.#tokens.length;
    this.#tokens = grown(new Int32Array(capacity), this.#tokens);
    this.#logprobs = grown(new Float32Array(capacity), this.#logprobs);
    this.#modelLogprobs = grown(new Float32Array(capacity), this.#modelLogprobs);
    this.#versions = grown(new Int32Array(capacity), this.#versions);
  }
}
