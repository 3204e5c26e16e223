/**
 * The model in the native engine. A conversation is one sequence of the generator: what was sampled stays in it token
 * for token, and only what the environment says is tokenised. Weights may be updated in the middle of a reply; each
 * token tells the version that it was sampled with.
 */
import { type Generator, type Model, NativeError, type Sequence, type SequenceResult } from "../../native/index.js";
import { answererOf, ChatFormat } from "./chat-format.js";
import type { Dialogue } from "./dialogue.js";
import {
  type Conversation,
  type Opening,
  type Policy,
  PolicyError,
  type Reply,
  type Tokens,
  type Usage,
} from "./policy.js";

export interface NativePolicyOptions {
  generator: Generator;
  /** Whose tokenizer and chat template it speaks by. */
  model: Model;
  /** The most tokens of a conversation: at most the model's positions. */
  context: number;
  /** The most tokens of a reply. */
  maxNewTokens: number;
  /** 0: the likeliest token. Default 1. */
  temperature?: number;
  /** Default 1: all. */
  topP?: number;
  /** Default 0: all. */
  topK?: number;
  /** Default `system`. */
  dialogue?: Dialogue;
  /** The policy's version, of that of the engine's weights. Default: the same. */
  versionOf?: (weights: number) => number;
}

export class NativePolicy implements Policy {
  readonly name: string = "native";
  readonly format: ChatFormat;
  private readonly open = new Set<NativeConversation>();

  /** @throws {UnusableTemplate} @throws {RangeError} a model without a tokenizer */
  constructor(readonly options: Readonly<NativePolicyOptions>) {
    const { tokenizer } = options.model;
    if (!tokenizer) throw new RangeError("expected a model with a tokenizer.json, but received one without");
    this.format = new ChatFormat(tokenizer);
  }

  converse(opening: Opening): Conversation {
    const conversation = new NativeConversation(this, opening, () => this.open.delete(conversation));
    this.open.add(conversation);
    return conversation;
  }

  /** Ends all conversations; the generator belongs to the caller. */
  async close(): Promise<void> {
    for (const conversation of this.open) conversation.close();
  }
}

/** What was given, and what was sampled after it. */
interface Turn {
  given: Int32Array;
  sampled: SequenceResult;
}

class NativeConversation implements Conversation {
  private readonly turns: Turn[] = [];
  private sequence: Sequence | undefined;
  private length = 0;

  constructor(
    private readonly policy: NativePolicy,
    private readonly opening: Opening,
    private readonly onClosed: () => void,
  ) {}

  async reply(observation: string | undefined, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const { context } = this.policy.options;
    const given = this.given(observation);
    const room = context - this.length - given.length;
    if (room < 1) return { text: "", finish: "context", first: this.length, end: this.length };
    const sampled = await this.sample(given, room, signal);
    this.turns.push({ given, sampled });
    const first = this.length + given.length;
    this.length = first + sampled.tokens.length;
    const { maxNewTokens } = this.policy.options;
    const atEnd = sampled.finish === "context" || (sampled.finish === "length" && room < maxNewTokens);
    const finish = atEnd ? "context" : sampled.finish === "length" ? "length" : "stop";
    return { text: this.policy.format.text(sampled.tokens), finish, first, end: this.length };
  }

  tokens(): Tokens {
    const tokens = new Int32Array(this.length);
    const mask = new Uint8Array(this.length);
    const logprobs = new Float32Array(this.length);
    const versions = new Int32Array(this.length).fill(-1);
    const { versionOf = (weights: number) => weights } = this.policy.options;
    let at = 0;
    for (const { given, sampled } of this.turns) {
      tokens.set(given, at);
      at += given.length;
      tokens.set(sampled.tokens, at);
      logprobs.set(sampled.logprobs, at);
      versions.set(sampled.versions.map(versionOf), at);
      mask.fill(1, at, at + sampled.tokens.length);
      at += sampled.tokens.length;
    }
    return { tokens, mask, logprobs, versions };
  }

  usage(): Usage {
    const { turns } = this;
    let read = 0;
    let promptTokens = 0;
    let completionTokens = 0;
    for (const { given, sampled } of turns) {
      read += given.length;
      promptTokens += read;
      completionTokens += sampled.tokens.length;
      read += sampled.tokens.length;
    }
    return { requests: turns.length, promptTokens, completionTokens };
  }

  close(): void {
    this.sequence?.abort();
    this.sequence?.release();
    this.onClosed();
  }

  private given(observation: string | undefined): Int32Array {
    const { format, options } = this.policy;
    const { prompt, observation: seen, offered: tools } = this.opening;
    const last = this.turns.at(-1)?.sampled.tokens;
    if (!last) return format.opening(prompt, seen, { dialogue: options.dialogue, tools });
    return format.bridge(observation ?? "", last.at(-1), answererOf(format.text(last), tools));
  }

  private async sample(tokens: Int32Array, room: number, signal: AbortSignal): Promise<SequenceResult> {
    const { generator, maxNewTokens, temperature = 1, topP = 1, topK = 0 } = this.policy.options;
    const request = {
      tokens,
      maxNewTokens: Math.min(maxNewTokens, room),
      temperature,
      topP,
      topK,
      // With the position, which no two draws of a conversation share.
      seed: this.opening.seed,
      stopTokens: [...this.policy.format.stopTokens],
      signal,
    };
    let result: SequenceResult;
    try {
      if (this.sequence) result = await this.sequence.extend(request);
      else {
        this.sequence = generator.submit(request);
        result = await this.sequence.result;
      }
    } catch (error) {
      if (!(error instanceof NativeError)) throw error;
      throw new PolicyError(error.code, error.message, error.code === "NATIVE_OUT_OF_MEMORY");
    }
    signal.throwIfAborted();
    if (result.finish === "aborted")
      throw new PolicyError("POLICY_CLOSED", "expected a reply, but received a close", false);
    if (result.finish !== "failed") return result;
    throw new PolicyError("POLICY_NOT_FINITE", "expected finite logits, but received NaN or infinity", false);
  }
}
