/** Replies in the format of chat completions, whole or as chunks of a stream, with vLLM's token ids on request. */
import type { EndpointError } from "../errors.js";
import type { IdentifiedCall } from "../message.js";
import type { CallFacts, Reply, ReplyWriter, ScoredToken, StreamEvent } from "../protocol.js";
import { logprobsOf } from "../token-logprobs.js";

/** Optional parts of a reply. */
export interface CompletionParts {
  readonly logprobs: boolean;
  /** Number of most probable tokens to report with each token. */
  readonly topTokens: number;
  /** Number of choices. */
  readonly choices: number;
  /** Whether the reply has vLLM's `prompt_token_ids` and `token_ids`. */
  readonly tokenIds: boolean;
  /** Whether a stream ends with a chunk of the token counts. */
  readonly usage: boolean;
}

export class CompletionWriter implements ReplyWriter {
  private readonly created = Math.floor(Date.now() / 1000);

  constructor(
    private readonly call: CallFacts,
    private readonly parts: CompletionParts,
  ) {}

  whole(replies: readonly Reply[]): object {
    const choices = replies.map(({ content, calls, scored, finish }, index) => {
      const message = {
        role: "assistant",
        content: content === "" && calls.length > 0 ? null : content,
        refusal: null,
        ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
      };
      return { index, message, finish_reason: finish, ...this.columns(scored) };
    });
    return { ...this.head("chat.completion"), choices, usage: this.usage(replies), ...this.promptIds() };
  }

  first(): StreamEvent[] {
    return Array.from({ length: this.parts.choices }, (_, choice) => ({
      data: { ...this.chunk({ role: "assistant", content: "" }, [], choice), ...this.promptIds() },
    }));
  }

  text(content: string, tokens: readonly ScoredToken[], choice: number): StreamEvent[] {
    return [{ data: this.chunk({ content }, tokens, choice) }];
  }

  last({ calls, finish }: Reply, rest: string, tokens: readonly ScoredToken[], choice: number): StreamEvent[] {
    const delta = {
      ...(rest !== "" && { content: rest }),
      ...(calls.length > 0 && { tool_calls: calls.map((call, index) => ({ index, ...toolCall(call) })) }),
    };
    return [{ data: this.chunk(delta, tokens, choice, finish) }];
  }

  end(replies: readonly Reply[]): StreamEvent[] {
    const usage = { ...this.head("chat.completion.chunk"), choices: [], usage: this.usage(replies) };
    return [...(this.parts.usage ? [{ data: usage }] : []), { data: "[DONE]" }];
  }

  failed(error: EndpointError): StreamEvent[] {
    return [{ data: error.toBody() }];
  }

  private chunk(delta: object, tokens: readonly ScoredToken[], index: number, finish: string | null = null) {
    const choice = { index, delta, finish_reason: finish, ...this.columns(tokens) };
    return { ...this.head("chat.completion.chunk"), choices: [choice] };
  }

  private head(object: string) {
    return { id: this.call.id, object, created: this.created, model: this.call.model, system_fingerprint: null };
  }

  private columns(tokens: readonly ScoredToken[]) {
    const { logprobs, topTokens, tokenIds } = this.parts;
    return {
      logprobs: logprobs ? { content: logprobsOf(tokens, this.call, topTokens), refusal: null } : null,
      ...(tokenIds && { token_ids: tokens.map(({ token }) => token) }),
    };
  }

  private usage(replies: readonly Reply[]) {
    const { promptTokens, cachedTokens } = this.call;
    const sampled = replies.reduce((sum, { scored }) => sum + scored.length, 0);
    return {
      prompt_tokens: promptTokens,
      completion_tokens: sampled,
      total_tokens: promptTokens + sampled,
      /** Tokens that this call has in common with an earlier call of the rollout. */
      prompt_tokens_details: { cached_tokens: cachedTokens },
    };
  }

  private promptIds() {
    return this.parts.tokenIds ? { prompt_token_ids: [...this.call.prompt()] } : {};
  }
}

function toolCall({ id, name, arguments: values }: IdentifiedCall) {
  return { id, type: "function" as const, function: { name, arguments: values } };
}
