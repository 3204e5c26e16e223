/** Replies in the format of chat completions, whole or as chunks of a stream, with vLLM's token ids on request. */
import type { SequenceResult } from "../../../../native/api/index.js";
import type { EndpointError } from "../errors.js";
import type { IdentifiedCall } from "../message.js";
import type { CallFacts, Reply, ReplyWriter, ScoredToken, StreamEvent } from "../protocol.js";
import { logprobsOf, tokensOf } from "../token-logprobs.js";

/** Optional parts of a reply. */
export interface CompletionParts {
  readonly logprobs: boolean;
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

  whole({ content, calls, sampled, finish }: Reply): object {
    const message = {
      role: "assistant",
      content: content === "" && calls.length > 0 ? null : content,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    };
    const choice = { index: 0, message, finish_reason: finish, ...this.columns(tokensOf(sampled)) };
    return {
      ...this.head("chat.completion"),
      choices: [choice],
      usage: this.usage(sampled),
      ...this.promptIds(),
    };
  }

  first(): StreamEvent[] {
    return [{ data: { ...this.chunk({ role: "assistant", content: "" }, []), ...this.promptIds() } }];
  }

  text(content: string, tokens: readonly ScoredToken[]): StreamEvent[] {
    return [{ data: this.chunk({ content }, tokens) }];
  }

  last({ calls, finish, sampled }: Reply, rest: string, tokens: readonly ScoredToken[]): StreamEvent[] {
    const delta = {
      ...(rest !== "" && { content: rest }),
      ...(calls.length > 0 && { tool_calls: calls.map((call, index) => ({ index, ...toolCall(call) })) }),
    };
    const usage = { ...this.head("chat.completion.chunk"), choices: [], usage: this.usage(sampled) };
    return [
      { data: this.chunk(delta, tokens, finish) },
      ...(this.parts.usage ? [{ data: usage }] : []),
      { data: "[DONE]" },
    ];
  }

  failed(error: EndpointError): StreamEvent[] {
    return [{ data: error.toBody() }];
  }

  private chunk(delta: object, tokens: readonly ScoredToken[], finish: string | null = null) {
    const choice = { index: 0, delta, finish_reason: finish, ...this.columns(tokens) };
    return { ...this.head("chat.completion.chunk"), choices: [choice] };
  }

  private head(object: string) {
    return { id: this.call.id, object, created: this.created, model: this.call.model, system_fingerprint: null };
  }

  private columns(tokens: readonly ScoredToken[]) {
    const { logprobs, tokenIds } = this.parts;
    return {
      logprobs: logprobs ? { content: logprobsOf(tokens, this.call), refusal: null } : null,
      ...(tokenIds && { token_ids: tokens.map(({ token }) => token) }),
    };
  }

  private usage({ tokens }: SequenceResult) {
    const { promptTokens, cachedTokens } = this.call;
    return {
      prompt_tokens: promptTokens,
      completion_tokens: tokens.length,
      total_tokens: promptTokens + tokens.length,
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
