/**
 * Replies in the format of OpenAI's Responses. A stream consists of named events, numbered by `sequence_number`:
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { SequenceResult } from "../../../../native/api/index.js";
import type { EndpointError } from "../errors.js";
import type { CallFacts, Reply, ReplyWriter, ScoredToken, StreamEvent } from "../protocol.js";
import { logprobsOf, type TokenLogprob } from "../token-logprobs.js";
import { callItem, hasMessage, messageItem, textPart } from "./items.js";

/** Where the text of a reply is: its only message is the first item. */
const textPlace = { output_index: 0, content_index: 0 };

export class ResponseWriter implements ReplyWriter {
  private readonly createdAt = Math.floor(Date.now() / 1000);
  private events = 0;
  private hasBegunMessage = false;

  /**
   * @param asked whether texts have log-probabilities, and with how many top tokens
   * @param echo parameters of the request that a response repeats
   */
  constructor(
    private readonly call: CallFacts,
    private readonly asked: { readonly isAsked: boolean; readonly topTokens: number },
    private readonly echo: object,
  ) {}

  whole([reply]: readonly Reply[]): object {
    return this.wholeOf(reply as Reply);
  }

  private wholeOf(reply: Reply): object {
    const { content, calls, sampled, scored, finish } = reply;
    const status = finish === "length" ? "incomplete" : "completed";
    const text = textPart(content, this.logprobs(scored));
    const message = hasMessage(reply) ? [messageItem(this.call.id, status, [text])] : [];
    const output = [...message, ...calls.map((call, at) => callItem(this.call.id, at, call, "completed"))];
    const reason = finish === "length" ? { reason: "max_output_tokens" } : null;
    return { ...this.response(status, output), incomplete_details: reason, usage: this.usage(sampled) };
  }

  first(): StreamEvent[] {
    const response = this.response("in_progress", []);
    return [this.event("response.created", { response }), this.event("response.in_progress", { response })];
  }

  text(delta: string, tokens: readonly ScoredToken[]): StreamEvent[] {
    const logprobs = this.logprobs(tokens);
    return [...this.beginMessage(), this.textEvent("response.output_text.delta", { delta, logprobs })];
  }

  last(reply: Reply, rest: string, tokens: readonly ScoredToken[]): StreamEvent[] {
    const response = this.wholeOf(reply);
    const isIncomplete = reply.finish === "length";
    return [
      ...(rest === "" ? [] : this.text(rest, tokens)),
      ...(hasMessage(reply) ? this.endMessage(reply) : []),
      ...reply.calls.flatMap((call, at) => this.callEvents(call, at, Number(hasMessage(reply)))),
      this.event(isIncomplete ? "response.incomplete" : "response.completed", { response }),
    ];
  }

  end(): StreamEvent[] {
    return [];
  }

  failed(error: EndpointError): StreamEvent[] {
    const { code, message, param = null } = error;
    const failure = { error: { code: "server_error", message } };
    const response = { ...this.response("failed", []), ...failure };
    // OpenAI's SDKs throw on an event with the field `error`.
    const told = { code, message, param, ...error.toBody() };
    return [this.event("response.failed", { response }), this.event("error", told)];
  }

  private beginMessage(): StreamEvent[] {
    if (this.hasBegunMessage) return [];
    this.hasBegunMessage = true;
    const item = messageItem(this.call.id, "in_progress", []);
    return [
      this.event("response.output_item.added", { output_index: 0, item }),
      this.textEvent("response.content_part.added", { part: textPart("", []) }),
    ];
  }

  private endMessage({ content: text, scored, finish }: Reply): StreamEvent[] {
    const logprobs = this.logprobs(scored);
    const part = textPart(text, logprobs);
    const item = messageItem(this.call.id, finish === "length" ? "incomplete" : "completed", [part]);
    return [
      ...this.beginMessage(),
      this.textEvent("response.output_text.done", { text, logprobs }),
      this.textEvent("response.content_part.done", { part }),
      this.event("response.output_item.done", { output_index: 0, item }),
    ];
  }

  /** @param before number of items before the calls */
  private callEvents(call: Reply["calls"][number], at: number, before: number): StreamEvent[] {
    const item = callItem(this.call.id, at, call, "completed");
    const place = { output_index: before + at };
    const part = { ...place, item_id: item.id };
    const { name, arguments: values } = call;
    return [
      this.event("response.output_item.added", { ...place, item: callItem(this.call.id, at, call, "in_progress") }),
      this.event("response.function_call_arguments.delta", { ...part, delta: values }),
      this.event("response.function_call_arguments.done", { ...part, name, arguments: values }),
      this.event("response.output_item.done", { ...place, item }),
    ];
  }

  private textEvent(type: string, fields: object): StreamEvent {
    return this.event(type, { item_id: messageItem(this.call.id, "in_progress", []).id, ...textPlace, ...fields });
  }

  private event(type: string, fields: object): StreamEvent {
    return { name: type, data: { type, sequence_number: this.events++, ...fields } };
  }

  private response(status: string, output: readonly object[]) {
    return {
      id: this.call.id,
      object: "response",
      created_at: this.createdAt,
      status,
      error: null,
      incomplete_details: null,
      metadata: {},
      model: this.call.model,
      output,
      reasoning: { effort: null, summary: null },
      store: false,
      truncation: "disabled",
      usage: null,
      ...this.echo,
    };
  }

  private logprobs(tokens: readonly ScoredToken[]): TokenLogprob[] {
    const { isAsked, topTokens } = this.asked;
    return isAsked ? logprobsOf(tokens, this.call, topTokens) : [];
  }

  private usage({ tokens }: SequenceResult) {
    const { promptTokens, cachedTokens } = this.call;
    return {
      input_tokens: promptTokens,
      /** Tokens that this call has in common with an earlier call of the rollout. */
      input_tokens_details: { cached_tokens: cachedTokens },
      output_tokens: tokens.length,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + tokens.length,
    };
  }
}
