/** Chat completions: adds a request to the call tree of its rollout and samples the reply with the engine. */

import { randomUUID } from "node:crypto";
import {
  NativeError,
  type Request,
  type SampledToken,
  type Sequence,
  type SequenceResult,
} from "../../native/api/index.js";
import { textHash } from "../../server/formats/text-hash.js";
import { askedOf, type Call, lengthOf, tokensOf } from "./call-tree.js";
import { CompletionWriter, type Reply } from "./completion.js";
import { EndpointError, unsupported } from "./protocol/errors.js";
import { canonical, messageKey, replyKey, templateMessage } from "./protocol/message.js";
import type { PromptFormat } from "./protocol/prompt-format.js";
import { ReplyText } from "./protocol/reply-text.js";
import type { ChatRequest } from "./protocol/schemas.js";
import { closing } from "./protocol/tool-calls.js";
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

/** A chat completion in progress. */
export class Chat {
  readonly writer: CompletionWriter;
  private readonly text: ReplyText;
  private readonly offersTools: boolean;

  private constructor(
    private readonly rollout: Rollout,
    private readonly call: Call,
    private readonly sequence: Sequence,
    request: ChatRequest,
    private readonly options: ChatOptions,
  ) {
    const prompt = () => promptOf(call);
    this.offersTools = toolsOf(request).length > 0;
    this.text = new ReplyText(stopsOf(request), this.offersTools);
    this.writer = new CompletionWriter(call, prompt, request, options.model, options.format);
  }

  /** Starts sampling. @throws {EndpointError} the request is invalid, the context is full, or the engine fails */
  static begin(rollout: Rollout, request: ChatRequest, options: ChatOptions, signal: AbortSignal): Chat {
    rollout.expectOpen();
    const sampling = samplingOf(rollout, request, options);
    const call = callOf(rollout, request, options.format);
    const room = options.context - call.kept - call.given.length;
    if (room < 1) {
      rollout.contextExceeded += 1;
      const expected = `messages of at most ${options.context - 1} tokens`;
      const received = `${call.kept + call.given.length}`;
      throw new EndpointError("context_length_exceeded", `expected ${expected}, but received ${received}`, "messages");
    }
    const wanted = request.max_completion_tokens ?? request.max_tokens ?? options.maxNewTokens;
    const sequence = rollout.sequences.begin(call, {
      ...sampling,
      maxNewTokens: Math.min(wanted, options.maxNewTokens, room),
      stopTokens: [...options.format.stopTokens],
      stopStrings: [...stopsOf(request), ...(isOneCallAtMost(request) ? [closing] : [])],
      signal: AbortSignal.any([signal, rollout.signal]),
    });
    rollout.tree.add(call);
    return new Chat(rollout, call, sequence, request, options);
  }

  /**
   * Streams text, with its tokens, once later tokens cannot change it; the last item is the reply. @throws
   * {EndpointError}
   */
  async *deltas(): AsyncGenerator<
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

  /** Waits for the whole reply. @throws {EndpointError} */
  async whole(): Promise<Reply> {
    const deltas = this.deltas();
    for (;;) {
      const { done, value } = await deltas.next();
      if (done) return value;
    }
  }

  private finish(sampled: SequenceResult): Reply & { rest: string } {
    this.rollout.signal.throwIfAborted();
    if (sampled.finish === "aborted") {
      throw new EndpointError("endpoint_closed", "The client disconnected before the reply was ready.");
    }
    if (sampled.finish === "failed") {
      throw new EndpointError("generation_failed", "expected finite logits, but received NaN or infinity");
    }
    const spoken = this.text.end();
    this.rollout.tree.finish(this.call, sampled, this.text.written, replyKey(spoken.content, spoken.calls));
    const isCut = sampled.finish === "length" || sampled.finish === "context";
    return { ...spoken, sampled, finish: spoken.calls.length > 0 ? "tool_calls" : isCut ? "length" : "stop" };
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

function callOf({ tree }: Rollout, request: ChatRequest, format: PromptFormat): Call {
  const tools = toolsOf(request);
  const messages = request.messages.map(templateMessage);
  const keys = request.messages.map(messageKey);
  const asked = askedOf(canonical(tools), keys);
  const found = tree.parentOf(asked);
  const bridge = found && format.bridge(messages.slice(found.messages), tools, found.parent.sampled?.tokens.at(-1));
  const whole = bridge ?? format.opening(messages, tools);
  const parent = bridge ? found?.parent : tree.parentByTokens(whole, messages.length);
  const kept = parent ? lengthOf(parent) : 0;
  return {
    id: `chatcmpl-${randomUUID()}`,
    order: tree.calls.length,
    parent,
    asked: asked.chain.at(-1) as string,
    messages: messages.length,
    observationHash: textHash(keys.slice(bridge ? found?.messages : 0).join("\n")),
    given: bridge ?? whole.slice(kept),
    kept,
    state: "running",
    sampled: undefined,
    text: "",
    reward: 0,
    isRewarded: false,
  };
}

function promptOf({ parent, given, kept }: Call): Int32Array {
  const prompt = new Int32Array(kept + given.length);
  if (parent) prompt.set(tokensOf(parent));
  prompt.set(given, kept);
  return prompt;
}

/**
 * Returns the sampling parameters of a request. In training they must equal those of the run, since the
 * log-probabilities in the loss are computed with them.
 */
function samplingOf(rollout: Rollout, request: ChatRequest, options: ChatOptions): Omit<Request, "tokens"> {
  const { seed } = request;
  const { order, mode } = { order: rollout.tree.calls.length, mode: rollout.options.mode };
  const draws =
    typeof seed === "number"
      ? { seed: BigInt.asUintN(64, BigInt(seed)) }
      : { seed: rollout.options.seed, stream: order + 1 };
  if (mode === "eval") {
    return { ...draws, temperature: request.temperature ?? options.evalTemperature, topP: request.top_p ?? 1 };
  }
  const own = { temperature: options.temperature, top_p: options.topP };
  for (const name of ["temperature", "top_p"] as const) {
    const asked = request[name] ?? own[name];
    if (asked === own[name] || options.sampling === "override") continue;
    const expected = `${own[name]} in training, as for the log-probabilities in the loss (set endpoint_sampling override to ignore the request's value)`;
    throw unsupported(name, expected, asked);
  }
  return { ...draws, temperature: own.temperature, topP: own.top_p };
}

/** Returns the tools to show to the model: none if the request forbids calls. */
function toolsOf({ tools, tool_choice }: ChatRequest) {
  return tool_choice === "none" ? [] : (tools ?? []);
}

function isOneCallAtMost(request: ChatRequest): boolean {
  return request.parallel_tool_calls === false && toolsOf(request).length > 0;
}

function stopsOf({ stop }: ChatRequest): string[] {
  return typeof stop === "string" ? [stop] : (stop ?? []);
}
