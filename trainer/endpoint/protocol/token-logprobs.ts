/** Log-probabilities of sampled tokens in OpenAI's format. */
import type { CallFacts, ScoredToken } from "./protocol.js";

export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
  readonly top_logprobs: readonly never[];
}

export function logprobsOf(tokens: readonly ScoredToken[], { spell }: Pick<CallFacts, "spell">): TokenLogprob[] {
  return tokens.map(({ token, logprob }) => {
    const { text, bytes } = spell(token);
    return { token: text, logprob, bytes, top_logprobs: [] };
  });
}

/** Returns the tokens of a whole reply. */
export function tokensOf({ tokens, logprobs }: { tokens: Int32Array; logprobs: Float32Array }): ScoredToken[] {
  return [...tokens].map((token, at) => ({ token, logprob: logprobs[at] as number }));
}
