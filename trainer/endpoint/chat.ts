/** Replies to requests: adds a request to the call tree of its rollout and samples its choices with the engine. */

import { randomUUID } from "node:crypto";
import type { ChatMessage } from "../../native/api/index.js";
import { textHash } from "../../server/formats/text-hash.js";
import { askedOf, type Call, type CallTree, lengthOf, tokensOf } from "./call-tree.js";
import { Choice } from "./choice.js";
import { merged } from "./merged.js";
import { EndpointError } from "./protocol/errors.js";
import { canonical, type Message, messageKey, type Tool, templateMessage } from "./protocol/message.js";
import type { PromptFormat } from "./protocol/prompt-format.js";
import type { ModelRequest, Reply, ReplyWriter, StreamEvent } from "./protocol/protocol.js";
import { heldReply } from "./protocol/reply-form.js";
import type { Rollout } from "./rollout.js";
import { drawsOf, type RunSampling, samplingOf } from "./run-sampling.js";

export interface ChatOptions extends RunSampling {
  readonly format: PromptFormat;
  /** Name of the model in replies. */
  readonly model: string;
  /** Maximum number of tokens in a conversation. */
  readonly context: number;
  /** Maximum number of tokens in a reply; a request may set a lower limit. */
  readonly maxNewTokens: number;
}

/** The reply to a request in progress, with one choice or several. */
export class Chat {
  private readonly writer: ReplyWriter;

  private constructor(
    private readonly choices: readonly Choice[],
    /** Names of the request's parameters that have no effect. */
    readonly ignored: readonly string[],
    first: Call,
    request: ModelRequest,
    { format, model }: ChatOptions,
  ) {
    this.writer = request.writer({
      id: first.id,
      model,
      promptTokens: first.kept + first.given.length,
      cachedTokens: first.kept,
      prompt: () => promptOf(first),
      spell: (token) => format.spell(token),
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
    const { parameters, overridden } = samplingOf(rollout.options.mode, request, options, options.format.vocabulary);
    const first = callOf(rollout.tree, request, `${idPrefix}${randomUUID()}`, options.format);
    const room = options.context - first.kept - first.given.length;
    if (room < 1) {
      rollout.contextExceeded += 1;
      const expected = `messages of at most ${options.context - 1} tokens`;
      const received = `${first.kept + first.given.length}`;
      throw new EndpointError("context_length_exceeded", `expected ${expected}, but received ${received}`, "messages");
    }
    const { stops, isOneCallAtMost, maxNewTokens: wanted = options.maxNewTokens } = request;
    const { grammar, ignored } = heldReply(request.form, request, () => options.format.heldForm());
    const common = {
      ...parameters,
      ...(grammar && { grammar }),
      maxNewTokens: Math.min(wanted, options.maxNewTokens, room),
      stopTokens: [...options.format.stopTokens, ...(request.sampling.stop_token_ids ?? [])],
      stopStrings: [...stops, ...(isOneCallAtMost ? options.format.callEnds() : [])],
      signal: AbortSignal.any([signal, rollout.signal]),
    };
    const choices: Choice[] = [];
    try {
      for (let at = 0; at < request.choices; at++) {
        const order = rollout.tree.calls.length;
        const call = at === 0 ? first : { ...first, id: `${first.id}:${at}`, order };
        const sampling = { ...common, ...drawsOf(request, rollout.options.seed, order, at) };
        const sequence = rollout.sequences.begin(call, sampling);
        const how = {
          isGreedy: parameters.temperature === 0,
          isHeld: grammar !== undefined,
          stopTokens: common.stopTokens,
        };
        choices.push(new Choice(rollout, call, sequence, how, request, options.format));
      }
    } catch (error) {
      for (const choice of choices) choice.abandon();
      throw error;
    }
    return new Chat(choices, [...request.ignored, ...ignored, ...overridden], first, request, options);
  }

  /** Waits for the whole reply. @throws {EndpointError} */
  async whole(): Promise<object> {
    const replies: Reply[] = [];
    for await (const { at, step } of this.deltas()) if (step.done) replies[at] = step.value;
    return this.writer.whole(replies);
  }

  /** Streams the reply, with the choices side by side. @throws {EndpointError} */
  async *events(): AsyncGenerator<StreamEvent> {
    yield* this.writer.first();
    const replies: Reply[] = [];
    for await (const { at, step } of this.deltas()) {
      if (step.done) {
        replies[at] = step.value;
        yield* this.writer.last(step.value, step.value.rest, step.value.tokens, at);
      } else yield* this.writer.text(step.value.text, step.value.tokens, at);
    }
    yield* this.writer.end(replies);
  }

  /** Makes the last events of a stream that failed. */
  failed(error: EndpointError): StreamEvent[] {
    return this.writer.failed(error);
  }

  /** Streams the texts of all choices. A choice that fails ends the others. */
  private async *deltas() {
    const streams = this.choices.map((choice) => choice.deltas());
    try {
      yield* merged(streams);
    } finally {
      for (const choice of this.choices) choice.abort();
    }
  }
}

/** Returns the number of tokens before the reply to a request. @throws {EndpointError} the template refuses it */
export function promptTokensOf(tree: CallTree, request: ModelRequest, format: PromptFormat): number {
  const { kept, given } = callOf(tree, request, "", format);
  return kept + given.length;
}

function callOf(tree: CallTree, request: ModelRequest, id: string, format: PromptFormat): Call {
  const { tools, instructions, seat } = request;
  const messages = request.messages.map(templateMessage);
  const keys = request.messages.map(messageKey);
  const asked = askedOf(canonical(tools), keys, seat);
  const found = tree.parentOf(asked);
  const bridge = found && bridgeAfter(found.parent, messages.slice(found.messages), tools, format);
  const whole = bridge ?? format.opening(messages, tools);
  const parent = bridge ? found?.parent : tree.parentByTokens(whole, messages.length, seat);
  const kept = parent ? lengthOf(parent) : 0;
  return {
    id,
    batch: id,
    seat,
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

function promptOf({ parent, given, kept }: Call): Int32Array {
  const prompt = new Int32Array(kept + given.length);
  if (parent) prompt.set(tokensOf(parent));
  prompt.set(given, kept);
  return prompt;
}
