/** The tokens that a sequence has sampled, stored in columns. */

export interface SampledToken {
  token: number;
  /**
   * Log-probability in nats, under the distribution from which the token was sampled: after temperature, mask, top-k, top-p
   * and min-p.
   */
  logprob: number;
  /**
   * Log-probability in nats, under the model's distribution at the temperature, without mask and filters. Equals the
   * result of `Trainer.score`.
   */
  modelLogprob: number;
  /** Version of the weights with which the token was sampled. */
  version: number;
}

const firstCapacity = 32;

export class SampledTokens {
  #length = 0;
  #tokens = new Int32Array(firstCapacity);
  #logprobs = new Float32Array(firstCapacity);
  #modelLogprobs = new Float32Array(firstCapacity);
  #versions = new Int32Array(firstCapacity);

  get length(): number {
    return this.#length;
  }

  add(token: number, logprob: number, modelLogprob: number, version: number): void {
    const at = this.#length;
    if (at === this.#tokens.length) this.#grow();
    this.#tokens[at] = token;
    this.#logprobs[at] = logprob;
    this.#modelLogprobs[at] = modelLogprob;
    this.#versions[at] = version;
    this.#length += 1;
  }

  at(index: number): SampledToken | undefined {
    if (index >= this.#length) return undefined;
    return {
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
