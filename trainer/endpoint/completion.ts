/** Replies in OpenAI's format, whole or as chunks of a stream, with vLLM's token ids on request. */

import type { SampledToken, SequenceResult } from "../../native/api/index.js";
import { textHash } from "../../server/formats/text-hash.js";
import type { Call } from "./call-tree.js";
import type { PromptFormat } from "./protocol/prompt-format.js";
import type { ChatRequest } from "./protocol/schemas.js";
import type { Spoken } from "./protocol/tool-calls.js";

/** A complete reply. */
export interface Reply extends Spoken {
  readonly sampled: SequenceResult;
  readonly finish: "stop" | "length" | "tool_calls";
}

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Number of tokens that this call has in common with an earlier call of the rollout. */
  prompt_tokens_details: { cached_tokens: number };
}

export class CompletionWriter {
  private readonly created = Math.floor(Date.now() / 1000);

  /** @param prompt tokens before the reply */
  constructor(
    private readonly call: Call,
    private readonly prompt: () => Int32Array,
    private readonly request: ChatRequest,
    private readonly model: string,
    private readonly format: PromptFormat,
  ) {}

  whole({ content, calls, sampled, finish }: Reply): object {
    const toolCalls = calls.length > 0 && { tool_calls: this.toolCalls(calls) };
    const message = {
      role: "assistant",
      content: content === "" && calls.length > 0 ? null : content,
      refusal: null,
      ...toolCalls,
    };
    const tokens = [...sampled.tokens].map((token, at) => ({ token, logprob: sampled.logprobs[at] as number }));
    const choice = { index: 0, message, finish_reason: finish, ...this.columns(tokens) };
    return {
      ...this.head("chat.completion"),
      choices: [choice],
      usage: this.usage(sampled),
      ...this.promptIds(),
    };
  }

  first(): object {
    return { ...this.chunk({ role: "assistant", content: "" }, []), ...this.promptIds() };
  }

  /** Makes a chunk of text. @param tokens tokens sampled since the previous chunk */
  text(content: string, tokens: readonly SampledToken[]): object {
    return this.chunk({ content }, tokens);
  }

  last({ rest, calls, finish }: Reply & { readonly rest: string }, tokens: readonly SampledToken[]): object {
    const delta = {
      ...(rest !== "" && { content: rest }),
      ...(calls.length > 0 && { tool_calls: this.toolCalls(calls).map((call, index) => ({ index, ...call })) }),
    };
    return this.chunk(delta, tokens, finish);
  }

  usageChunk({ sampled }: Reply): object {
    return { ...this.head("chat.completion.chunk"), choices: [], usage: this.usage(sampled) };
  }

  private chunk(
    delta: object,
    tokens: readonly Pick<SampledToken, "token" | "logprob">[],
    finish: string | null = null,
  ) {
    const choice = { index: 0, delta, finish_reason: finish, ...this.columns(tokens) };
    return { ...this.head("chat.completion.chunk"), choices: [choice] };
  }

  private head(object: string) {
    return { id: this.call.id, object, created: this.created, model: this.model, system_fingerprint: null };
  }

  private columns(tokens: readonly Pick<SampledToken, "token" | "logprob">[]) {
    const { logprobs, return_token_ids } = this.request;
    return {
      logprobs: logprobs ? { content: tokens.map((one) => this.logprob(one)), refusal: null } : null,
      ...(return_token_ids && { token_ids: tokens.map(({ token }) => token) }),
    };
  }

  private logprob({ token, logprob }: Pick<SampledToken, "token" | "logprob">) {
    const { text, bytes } = this.format.spell(token);
    return { token: text, logprob, bytes, top_logprobs: [] };
  }

  private toolCalls(calls: Spoken["calls"]) {
    return calls.map((call, at) => ({
      id: `call_${textHash(`${this.call.id} ${at}`)}`,
      type: "function" as const,
      function: { name: call.name, arguments: call.arguments },
    }));
  }

  private usage(sampled: SequenceResult): Usage {
    const { kept, given } = this.call;
    const [prompt, completion] = [kept + given.length, sampled.tokens.length];
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: kept },
    };
  }

  private promptIds() {
    return this.request.return_token_ids ? { prompt_token_ids: [...this.prompt()] } : {};
  }
}
