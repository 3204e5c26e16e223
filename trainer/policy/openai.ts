/**
 * A policy that calls an OpenAI-compatible server: vLLM, SGLang, llama.cpp or OpenAI. Its episodes can be used for
 * training if the server reports token ids and log-probabilities.
 */

import { callText } from "../../server/formats/actions/function-calling.js";
import { functionOf } from "../../server/formats/actions/tool-call.js";
import { type Dialogue, firstMessages, type Message, type ToolCallMessage } from "../../server/formats/dialogue.js";
import { keyedHash } from "../keyed-random.js";
import type { Completion } from "./openai-reply.js";
import { ContextExceeded, OpenAIServer, type OpenAIServerOptions } from "./openai-server.js";
import {
  addRetries,
  type Conversation,
  type Opening,
  type Policy,
  type Reply,
  type RetryCounts,
  type Tokens,
  type Usage,
} from "./policy.js";

export interface OpenAIOptions extends OpenAIServerOptions {
  readonly model: string;
  readonly dialogue?: Dialogue;
  /** Sampling temperature. Default: that of the server. */
  readonly temperature?: number | undefined;
  /** Maximum number of tokens in a reply. Default 512. */
  readonly maxTokens?: number;
  /** Whether to request token ids and log-probabilities, which vLLM and SGLang support. Default false. */
  readonly tokenIds?: boolean;
}

export class OpenAIPolicy implements Policy {
  readonly name: string;
  readonly server: OpenAIServer;
  /**
   * Version of the server's weights, set by the caller that pushes new weights. Tokens sampled afterwards are recorded
   * with it.
   */
  version = 0;
  /** Number of conversations whose prompt did not repeat earlier tokens, so that they cannot be used for training. */
  drifted = 0;

  constructor(readonly options: OpenAIOptions) {
    this.name = `openai:${options.url}#${options.model}`;
    this.server = new OpenAIServer(options);
  }

  converse(opening: Opening): Conversation {
    return new OpenAIConversation(this, opening);
  }

  async close(): Promise<void> {
    this.server.close();
  }
}

class OpenAIConversation implements Conversation {
  private readonly messages: Message[];
  /** Tool calls of the last reply. */
  private toolCalls: readonly ToolCallMessage[] = [];
  private readonly record = new TokenRecord();
  private turn = 0;
  private requests = 0;
  private retries: RetryCounts = {};
  private promptTokens = 0;
  private completionTokens = 0;

  constructor(
    private readonly policy: OpenAIPolicy,
    private readonly opening: Opening,
  ) {
    this.messages = firstMessages(opening, policy.options.dialogue ?? "system");
  }

  async reply(observation: string | undefined, signal: AbortSignal): Promise<Reply> {
    if (observation !== undefined) this.hear(observation);
    const { version } = this.policy;
    let completion: Completion;
    try {
      completion = await this.complete(signal);
    } catch (error) {
      if (!(error instanceof ContextExceeded)) throw error;
      return { text: "", finish: "context", first: this.record.length, end: this.record.length };
    }
    this.promptTokens += completion.promptTokens;
    this.completionTokens += completion.completionTokens;
    const text = this.say(completion);
    return { text, finish: completion.finish, ...this.recordTokens(completion, version) };
  }

  tokens(): Tokens | undefined {
    return this.record.tokens();
  }

  usage(): Usage {
    const { requests, promptTokens, completionTokens, retries } = this;
    return { requests, promptTokens, completionTokens, ...(Object.keys(retries).length > 0 && { retries }) };
  }

  close(): void {}

  /** Adds the observation as the result of every call in the reply, although only one call is played. */
  private hear(observation: string): void {
    const answers = this.toolCalls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: observation }) as const);
    this.messages.push(...(answers.length > 0 ? answers : [{ role: "user", content: observation } as const]));
  }

  /** Adds a completion to the messages. @returns the reply as text, with calls as a model writes them */
  private say({ text, toolCalls }: Completion): string {
    this.toolCalls = this.opening.offered ? toolCalls : [];
    if (this.toolCalls.length === 0) {
      this.messages.push({ role: "assistant", content: text });
      return text;
    }
    this.messages.push({ role: "assistant", content: text || null, tool_calls: this.toolCalls.map(readable) });
    const calls = this.toolCalls.map(({ function: { name, arguments: given } }) =>
      callText(JSON.stringify(name), given),
    );
    return [text, ...calls].filter((part) => part !== "").join("\n");
  }

  private complete(signal: AbortSignal): Promise<Completion> {
    const { model, temperature, maxTokens = 512, tokenIds = false } = this.policy.options;
    const request = {
      model,
      messages: this.messages,
      // OpenAI accepts seeds of 64 bits, some servers only of 31 bits.
      seed: keyedHash(this.opening.seed, this.turn++) >>> 1,
      ...(this.opening.offered && { tools: this.opening.offered.map(functionOf) }),
      ...(temperature !== undefined && { temperature }),
      ...(tokenIds && { logprobs: true, return_token_ids: true }),
    };
    return this.policy.server.complete(request, maxTokens, signal, {
      onAttempt: () => {
        this.requests += 1;
      },
      onRetry: (cause) => {
        this.retries = addRetries(this.retries, { [cause]: 1 });
      },
    });
  }

  private recordTokens({ sampled }: Completion, version: number): { first: number; end: number } {
    if (this.policy.options.tokenIds && !this.record.add(sampled, version)) this.policy.drifted += 1;
    return this.record.last;
  }
}

/**
 * The tokens of a conversation, from the prompts and completions of its turns. The prompt of each turn has to begin
 * with all earlier tokens. Otherwise the server's chat template or tokenizer has changed them, and the record is
 * discarded.
 */
class TokenRecord {
  private readonly ids: number[] = [];
  private readonly mask: number[] = [];
  private readonly logprobs: number[] = [];
  private readonly versions: number[] = [];
  private isVoid = false;
  last = { first: 0, end: 0 };

  get length(): number {
    return this.isVoid ? 0 : this.ids.length;
  }

  /** Adds a turn. @returns false once, when the record is discarded */
  add(sampled: Completion["sampled"], version: number): boolean {
    if (this.isVoid) return true;
    const extendsRecord = sampled && this.ids.every((id, at) => sampled.prompt[at] === id);
    if (!extendsRecord) {
      this.isVoid = true;
      this.last = { first: 0, end: 0 };
      return false;
    }
    for (const id of sampled.prompt.slice(this.ids.length)) this.push(id, 0, 0, -1);
    const first = this.ids.length;
    sampled.ids.forEach((id, at) => {
      this.push(id, 1, sampled.logprobs[at] as number, version);
    });
    this.last = { first, end: this.ids.length };
    return true;
  }

  tokens(): Tokens | undefined {
    if (this.isVoid || this.ids.length === 0) return undefined;
    return {
      tokens: Int32Array.from(this.ids),
      mask: Uint8Array.from(this.mask),
      logprobs: Float32Array.from(this.logprobs),
      versions: Int32Array.from(this.versions),
    };
  }

  private push(id: number, mask: 0 | 1, logprob: number, version: number): void {
    this.ids.push(id);
    this.mask.push(mask);
    this.logprobs.push(logprob);
    this.versions.push(version);
  }
}

/**
 * Replaces arguments that are not JSON: servers refuse them in a request, even if the same server wrote them in a
 * reply.
 */
function readable(call: ToolCallMessage): ToolCallMessage {
  try {
    JSON.parse(call.function.arguments);
    return call;
  } catch {
    return { ...call, function: { ...call.function, arguments: "{}" } };
  }
}
