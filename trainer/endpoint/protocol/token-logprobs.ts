/** Log-probabilities of sampled tokens in OpenAI's format. */
import type { CallFacts, ScoredToken } from "./protocol.js";

interface SpelledToken {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface TokenLogprob extends SpelledToken {
  readonly top_logprobs: readonly SpelledToken[];
}

/** @param count number of top tokens to list; the tokens may have more */
export function logprobsOf(
  tokens: readonly ScoredToken[],
  { spell }: Pick<CallFacts, "spell">,
  count: number,
): TokenLogprob[] {
  const spelled = ({ token, logprob }: { token: number; logprob: number }): SpelledToken => {
    const { text, bytes } = spell(token);
    return { token: text, logprob, bytes };
  };
  return tokens.map((token) => ({ ...spelled(token), top_logprobs: token.top.slice(0, count).map(spelled) }));
}
