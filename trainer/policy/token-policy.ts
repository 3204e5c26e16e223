/**
 * The base class of policies that sample tokens. Sampled tokens are kept unchanged, and only observations are
 * tokenized. `native.ts` samples in this process, `token-server.ts` through a server's completions.
 */

import type { Tokenizer } from "../../native/api/index.js";
import type { Dialogue } from "../../server/formats/dialogue.js";
import { TrainerError } from "../errors.js";
import { answererOf, ChatFormat } from "./chat-format.js";
import type { Conversation, Opening, Policy, Reply, Tokens, Usage } from "./policy.js";

export interface TokenPolicyOptions {
  /** Maximum number of tokens in a conversation, at most the model's number of positions. */
  context: number;
  /** Maximum number of tokens in a reply. */
  maxNewTokens: number;
  /** Sampling temperature; 0 selects the most likely token. Default 1. */
  temperature?: number;
  /** Total probability of the tokens to sample from. Default 1: all tokens. */
  topP?: number;
  /** Number of most likely tokens to sample from. Default 0: all tokens. */
  topK?: number;
  /** Form of the first messages. Default `system`. */
  dialogue?: Dialogue;
}

/** Sampled tokens; each array has the shape `[sampled tokens]`. */
export interface Sampled {
  readonly tokens: Int32Array;
  /** Log-probabilities in nats. */
  readonly logprobs: Float32Array;
  /** Policy version that sampled each token. */
  readonly versions: Int32Array;
  readonly finish: Reply["finish"];
}

/** A sequence that continues turn by turn. */
export interface TokenSequence {
  /**
   * Samples the continuation of all tokens so far, followed by `given`.
   *
   * @param maxNewTokens maximum number of tokens to sample, reduced near the end of the context
   * @throws {PolicyError} and the signal's reason
   */
  sample(given: Int32Array, maxNewTokens: number, signal: AbortSignal): Promise<Sampled>;
  /** Ends the sequence. A second call has no effect. */
  close(): void;
}

export abstract class TokenPolicy<Options extends TokenPolicyOptions = TokenPolicyOptions> implements Policy {
  abstract readonly name: string;
  readonly format: ChatFormat;
  private readonly open = new Set<TokenConversation>();

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(
    tokenizer: Tokenizer | undefined,
    readonly options: Readonly<Options>,
  ) {
    if (!tokenizer)
      throw new TrainerError("MODEL_UNUSABLE", "expected a model with a tokenizer.json, but received one without");
    this.format = new ChatFormat(tokenizer);
  }

  /** Starts a sequence. @param seed seed of its draws; each draw is seeded with it and the position */
  abstract begin(seed: number): TokenSequence;

  converse(opening: Opening): Conversation {
    const { format, options } = this;
    const sequence = this.begin(opening.seed);
    const conversation = new TokenConversation(format, options, opening, sequence, () =>
      this.open.delete(conversation),
    );
    this.open.add(conversation);
    return conversation;
  }

  /** Ends all conversations. */
  async close(): Promise<void> {
    for (const conversation of this.open) conversation.close();
  }
}

/** Tokens of the prompt or of an observation, and the tokens sampled after them. */
interface Turn {
  given: Int32Array;
  sampled: Sampled;
}

class TokenConversation implements Conversation {
  private readonly turns: Turn[] = [];
  private length = 0;

  constructor(
    private readonly format: ChatFormat,
    private readonly options: Readonly<TokenPolicyOptions>,
    private readonly opening: Opening,
    private readonly sequence: TokenSequence,
    private readonly onClosed: () => void,
  ) {}

  async reply(observation: string | undefined, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const { context, maxNewTokens } = this.options;
    const given = this.given(observation);
    const room = context - this.length - given.length;
    if (room < 1) return { text: "", finish: "context", first: this.length, end: this.length };
    const sampled = await this.sequence.sample(given, Math.min(maxNewTokens, room), signal);
    this.turns.push({ given, sampled });
    const first = this.length + given.length;
    this.length = first + sampled.tokens.length;
    const isCutOff = sampled.finish === "length" && room < maxNewTokens;
    const finish = isCutOff ? "context" : sampled.finish;
    return { text: this.format.text(sampled.tokens), finish, first, end: this.length };
  }

  tokens(): Tokens {
    const tokens = new Int32Array(this.length);
    const mask = new Uint8Array(this.length);
    const logprobs = new Float32Array(this.length);
    const versions = new Int32Array(this.length).fill(-1);
    let at = 0;
    for (const { given, sampled } of this.turns) {
      tokens.set(given, at);
      at += given.length;
      tokens.set(sampled.tokens, at);
      logprobs.set(sampled.logprobs, at);
      versions.set(sampled.versions, at);
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
    this.sequence.close();
    this.onClosed();
  }

  private given(observation: string | undefined): Int32Array {
    const { format, options } = this;
    const { prompt, observation: seen, offered: tools } = this.opening;
    const last = this.turns.at(-1)?.sampled.tokens;
    if (!last) return format.opening(prompt, seen, { dialogue: options.dialogue, tools });
    return format.bridge(observation ?? "", last.at(-1), answererOf(format.text(last), tools));
  }
}
