/** A sequence that a server samples: each request has all tokens so far. */
import { PolicyError } from "./policy.js";
import type { Sampled, TokenSequence } from "./token-policy.js";

export abstract class RemoteSequence implements TokenSequence {
  private readonly tokens: number[] = [];
  private readonly closing = new AbortController();

  /**
   * Samples the continuation of a prompt.
   *
   * @param signal aborts if the caller's signal aborts or the sequence is closed
   */
  protected abstract next(prompt: number[], maxNewTokens: number, signal: AbortSignal): Promise<Sampled>;

  async sample(given: Int32Array, maxNewTokens: number, signal: AbortSignal): Promise<Sampled> {
    const both = AbortSignal.any([signal, this.closing.signal]);
    const sampled = await this.next([...this.tokens, ...given], maxNewTokens, both);
    // A prompt beyond the context was not read.
    if (sampled.finish !== "context") this.tokens.push(...given, ...sampled.tokens);
    return sampled;
  }

  close(): void {
    this.closing.abort(
      new PolicyError("POLICY_CLOSED", "The conversation was closed before the reply was complete.", false),
    );
  }
}
