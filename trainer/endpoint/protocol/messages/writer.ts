/**
 * Replies in the format of Anthropic's Messages. A stream consists of named events:
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
import type { EndpointError } from "../errors.js";
import type { CallFacts, Reply, ReplyWriter, ScoredToken, StreamEvent } from "../protocol.js";
import { errorBody } from "./errors.js";

export class MessageWriter implements ReplyWriter {
  private hasBegunText = false;

  constructor(private readonly call: CallFacts) {}

  whole([reply]: readonly Reply[]): object {
    const { content: text, calls, sampled } = reply as Reply;
    const uses = calls.map(({ id, name, arguments: json }) => ({
      type: "tool_use",
      id,
      name,
      input: JSON.parse(json),
    }));
    const content = [...(text === "" ? [] : [{ type: "text", text }]), ...uses];
    return { ...this.head(), content, ...endOf(reply as Reply), usage: this.usage(sampled.tokens.length) };
  }

  first(): StreamEvent[] {
    const empty = { content: [], stop_reason: null, stop_sequence: null, usage: this.usage(0) };
    return [event("message_start", { message: { ...this.head(), ...empty } })];
  }

  text(text: string, _tokens: readonly ScoredToken[]): StreamEvent[] {
    return [...this.beginText(), event("content_block_delta", { index: 0, delta: { type: "text_delta", text } })];
  }

  last(reply: Reply, rest: string, tokens: readonly ScoredToken[]): StreamEvent[] {
    const text = rest === "" ? [] : this.text(rest, tokens);
    const before = Number(this.hasBegunText);
    return [
      ...text,
      ...(this.hasBegunText ? [event("content_block_stop", { index: 0 })] : []),
      ...reply.calls.flatMap((call, at) => callEvents(call, before + at)),
      event("message_delta", { delta: endOf(reply), usage: this.usage(reply.sampled.tokens.length) }),
      event("message_stop", {}),
    ];
  }

  end(): StreamEvent[] {
    return [];
  }

  failed(error: EndpointError): StreamEvent[] {
    return [{ name: "error", data: errorBody(error) }];
  }

  private beginText(): StreamEvent[] {
    if (this.hasBegunText) return [];
    this.hasBegunText = true;
    return [event("content_block_start", { index: 0, content_block: { type: "text", text: "" } })];
  }

  private head() {
    return { id: this.call.id, type: "message", role: "assistant", model: this.call.model };
  }

  /** Counts tokens as Anthropic does: the tokens of the prompt that were read before are not `input_tokens`. */
  private usage(outputTokens: number) {
    const { promptTokens, cachedTokens } = this.call;
    return {
      input_tokens: promptTokens - cachedTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cachedTokens,
      output_tokens: outputTokens,
    };
  }
}

function endOf({ finish, stop }: Reply) {
  if (finish === "tool_calls") return { stop_reason: "tool_use", stop_sequence: null };
  if (finish === "length") return { stop_reason: "max_tokens", stop_sequence: null };
  return { stop_reason: stop === undefined ? "end_turn" : "stop_sequence", stop_sequence: stop ?? null };
}

function callEvents({ id, name, arguments: json }: Reply["calls"][number], index: number): StreamEvent[] {
  return [
    event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } }),
    event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: json } }),
    event("content_block_stop", { index }),
  ];
}

function event(type: string, fields: object): StreamEvent {
  return { name: type, data: { type, ...fields } };
}
