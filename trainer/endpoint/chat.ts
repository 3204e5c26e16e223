/** Replies to requests: adds a request to the call tree of its rollout and samples the reply with the engine. */

import { randomUUID } from "node:crypto";
import {
  type ChatMessage,
  NativeError,
  type Request,
  type SampledToken,
  type Sequence,
  type SequenceResult,
} from "../../native/api/index.js";
import { textHash } from "../../server/formats/text-hash.js";
import { askedOf, type Call, lengthOf, tokensOf } from "./call-tree.js";
import { EndpointError, unsupported } from "./protocol/errors.js";
import { canonical, type Message, messageKey, type Tool, templateMessage } from "./protocol/message.js";
import type { PromptFormat } from "./protocol/prompt-format.js";
import type { ModelRequest, Reply, ReplyWriter, StreamEvent } from "./protocol/protocol.js";
import { heldReply } from "./protocol/reply-form.js";
import { ReplyText } from "./protocol/reply-text.js";
import type { Rollout } from "./rollout.js";
import { generationFailed } from "./sampling.js";

export interface ChatOptions {
  readonly format: PromptFormat;
  /** Name of the model in replies. */
  readonly model: string;
  /** Maximum number of tokens in a conversation. */
  readonly context: number;
  /** Maximum number of tokens in a reply; a request may set a lower limit. */
  readonly maxNewTokens: number;
  /** Sampling temperature of rollouts in training. */
  readonly temperature: number;
  readonly topP: number;
  /** Treatment of an agent's sampling parameters that differ from those of the run, in training. */
  readonly sampling: "refuse" | "override";
  /** Sampling temperature in evaluation for requests without a temperature. */
  readonly evalTemperature: number;
}

/** A reply in progress. */
export class Chat {
  private readonly writer: ReplyWriter;
  private readonly text: ReplyText;

  private constructor(
    private readonly rollout: Rollout,
    private readonly call: Call,
    private readonly sequence: Sequence,
    request: ModelRequest,
    /** Names of the request's parameters that have no effect. */
    readonly ignored: readonly string[],
    /** Whether the reply is held to a form. */
    private readonly isHeld: boolean,
    private readonly options: ChatOptions,
  ) {
    this.text = new ReplyText(request.stops, options.format.callReader(request.tools, request.isOneCallAtMost));
    this.writer = request.writer({
      id: call.id,
      model: options.model,
      promptTokens: call.kept + call.given.length,
      cachedTokens: call.kept,
      prompt: () => promptOf(call),
      spell: (token) => options.format.spell(token),
    });
  }

  /**
   * Starts sampling.
   *
   * @param idPrefix prefix of the call's id
   * @throws {EndpointError} the request is invalid, the context is full, or the engine fails
   */
  static begin(
    rollout: Rollout,
    request: ModelRequest,
    idPrefix: string,
    options: ChatOptions,
    signal: AbortSignal,
  ): Chat {
    rollout.expectOpen();
    const { parameters, overridden } = samplingOf(rollout, request, options);
    const call = callOf(rollout, request, `${idPrefix}${randomUUID()}`, options.format);
    const room = options.context - call.kept - call.given.length;
    if (room < 1) {
      rollout.contextExceeded += 1;
      const expected = `messages of at most ${options.context - 1} tokens`;
      const received = `${call.kept + call.given.length}`;
      throw new EndpointError("context_length_exceeded", `expected ${expected}, but received ${received}`, "messages");
    }
    const { stops, isOneCallAtMost, maxNewTokens: wanted = options.maxNewTokens } = request;
    const { grammar, ignored } = heldReply(request.form, request, () => options.format.heldForm());
    const sequence = rollout.sequences.begin(call, {
      ...parameters,
      ...(grammar && { grammar }),
      maxNewTokens: Math.min(wanted, options.maxNewTokens, room),
      stopTokens: [...options.format.stopTokens],
      stopStrings: [...stops, ...(isOneCallAtMost ? options.format.callEnds() : [])],
      signal: AbortSignal.any([signal, rollout.signal]),
    });
    rollout.tree.add(call);
    return new Chat(
      rollout,
      call,
      sequence,
      request,
      [...request.ignored, ...ignored, ...overridden],
      grammar !== undefined,
      options,
    );
  }

  /** Waits for the whole reply. @throws {EndpointError} */
  async whole(): Promise<object> {
    const deltas = this.deltas();
    for (;;) {
      const { done, value } = await deltas.next();
      if (done) return this.writer.whole(value);
    }
  }

  /** Streams the reply. @throws {EndpointError} */
  async *events(): AsyncGenerator<StreamEvent> {
    yield* this.writer.first();
    const deltas = this.deltas();
    let step = await deltas.next();
    for (; !step.done; step = await deltas.next()) yield* this.writer.text(step.value.text, step.value.tokens);
    yield* this.writer.last(step.value, step.value.rest, step.value.tokens);
  }

  /** Makes the last events of a stream that failed. */
  failed(error: EndpointError): StreamEvent[] {
    return this.writer.failed(error);
  }

  /**
   * Streams text, with its tokens, once later tokens cannot change it; the last item is the reply. @throws
   * {EndpointError}
   */
  private async *deltas(): AsyncGenerator<
    { text: string; tokens: SampledToken[] },
    Reply & { rest: string; tokens: SampledToken[] }
  > {
    try {
      const stream = this.options.format.textStream();
      let tokens: SampledToken[] = [];
      for await (const sampled of this.sequence) {
        tokens.push(sampled);
        const text = this.text.push(stream.push(sampled.token));
        if (text === "") continue;
        yield { text, tokens };
        tokens = [];
      }
      const sampled = await this.sequence.result;
      // The incomplete character of a reply that was cut off inside a character.
      const late = this.text.push(stream.end());
      const reply = this.finish(sampled);
      return { ...reply, rest: late + reply.rest, tokens };
    } catch (error) {
      if (error instanceof NativeError && this.call.state === "running") this.call.state = "failed";
      throw generationFailed(error);
    } finally {
      this.settle();
    }
  }

  private finish(sampled: SequenceResult): Reply & { rest: string } {
    this.rollout.signal.throwIfAborted();
    if (sampled.finish === "aborted") {
      throw new EndpointError("endpoint_closed", "The client disconnected before the reply was ready.");
    }
    if (sampled.finish === "failed") throw new EndpointError("generation_failed", this.failure);
    const { content, calls: written, rest } = this.text.end();
    const calls = written.map((each, at) => ({ id: callId(this.call, at), ...each }));
    const { stop, written: text } = this.text;
    this.rollout.tree.finish(this.call, sampled, text, { role: "assistant", content, calls });
    const isCut = sampled.finish === "length" || sampled.finish === "context";
    const finish = calls.length > 0 ? "tool_calls" : isCut ? "length" : "stop";
    return { content, calls, sampled, finish, stop, rest };
  }

  private get failure(): string {
    if (!this.isHeld) return "expected finite logits, but received NaN or infinity";
    return "expected a token that continues the reply in its form, but received none: the schema or pattern is too ambiguous, the vocabulary lacks a byte, or the logits are not finite";
  }

  /** Records the end of the call, with or without a complete reply. */
  private settle(): void {
    if (this.call.state === "running") this.call.state = "aborted";
    if (this.call.state === "done" && !this.rollout.outcome)
      return this.rollout.sequences.keep(this.call, this.sequence);
    this.sequence.abort();
    this.sequence.release();
  }
}

/** Returns the number of tokens before the reply to a request. @throws {EndpointError} the template refuses it */
export function promptTokensOf(rollout: Rollout, request: ModelRequest, format: PromptFormat): number {
  const { kept, given } = callOf(rollout, request, "", format);
  return kept + given.length;
}

function callOf({ tree }: Rollout, request: ModelRequest, id: string, format: PromptFormat): Call {
  const { tools, instructions } = request;
  const messages = request.messages.map(templateMessage);
  const keys = request.messages.map(messageKey);
  const asked = askedOf(canonical(tools), keys);
  const found = tree.parentOf(asked);
  const bridge = found && bridgeAfter(found.parent, messages.slice(found.messages), tools, format);
  const whole = bridge ?? format.opening(messages, tools);
  const parent = bridge ? found?.parent : tree.parentByTokens(whole, messages.length);
  const kept = parent ? lengthOf(parent) : 0;
  return {
    id,
    order: tree.calls.length,
    parent,
    follows: found?.parent,
    said: request.messages.slice(found?.messages ?? 0),
    instructions,
    asked: asked.chain.at(-1) as string,
    messages: messages.length,
    observationHash: textHash(keys.slice(bridge ? found?.messages : 0).join("\n")),
    given: bridge ?? whole.slice(kept),
    kept,
    state: "running",
    sampled: undefined,
    text: "",
    reply: undefined,
    reward: 0,
    isRewarded: false,
  };
}

function bridgeAfter(
  { reply, text, sampled }: Call,
  said: readonly ChatMessage[],
  tools: readonly Tool[],
  format: PromptFormat,
): Int32Array | undefined {
  const earlier = { reply: templateMessage(reply as Message), text, last: sampled?.tokens.at(-1) };
  return format.bridge(earlier, said, tools);
}

/** Returns the id of a tool call in a reply, by which its result names it. */
function callId({ id }: Call, at: number): string {
  return `call_${textHash(`${id} ${at}`)}`;
}

function promptOf({ parent, given, kept }: Call): Int32Array {
  const prompt = new Int32Array(kept + given.length);
  if (parent) prompt.set(tokensOf(parent));
  prompt.set(given, kept);
  return prompt;
}

/** Names of the sampling parameters that change the distribution of tokens. */
const distribution = ["temperature", "top_p", "top_k", "min_p"] as const;

/**
 * Returns the sampling parameters of a request. In training they must equal those of the run, since the
 * log-probabilities in the loss are computed with them. `overridden` names the parameters that the run's values replace.
 */
function samplingOf(
  rollout: Rollout,
  { sampling }: ModelRequest,
  options: ChatOptions,
): { parameters: Omit<Request, "tokens">; overridden: string[] } {
  const { seed } = sampling;
  const { order, mode } = { order: rollout.tree.calls.length, mode: rollout.options.mode };
  const draws =
    typeof seed === "number"
      ? { seed: BigInt.asUintN(64, BigInt(seed)) }
      : { seed: rollout.options.seed, stream: order + 1 };
  const isTrained = mode === "train";
  const own = { temperature: isTrained ? options.temperature : options.evalTemperature, top_k: 0, min_p: 0 };
  const run = { ...own, top_p: isTrained ? options.topP : 1 };
  const asked = { ...run };
  for (const name of distribution) asked[name] = sampling[name] ?? run[name];
  asked.top_k = Math.max(0, asked.top_k);
  const overridden = isTrained ? distribution.filter((name) => asked[name] !== run[name]) : [];
  const [refused] = overridden;
  if (refused !== undefined && options.sampling === "refuse") {
    const expected = `${run[refused]} in training, as for the log-probabilities in the loss (set endpoint_sampling override to ignore the request's value)`;
    throw unsupported(refused, expected, asked[refused]);
  }
  const { temperature, top_p, top_k, min_p } = isTrained ? run : asked;
  return { parameters: { ...draws, temperature, topP: top_p, topK: top_k, minP: min_p }, overridden };
}
