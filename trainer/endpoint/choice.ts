/** One reply in progress: a call of the rollout, and the sequence that samples it. */
import { NativeError, type SampledToken, type Sequence, type SequenceResult } from "../../native/api/index.js";
import { textHash } from "../../server/formats/text-hash.js";
import type { Call } from "./call-tree.js";
import { EndpointError } from "./protocol/errors.js";
import type { PromptFormat } from "./protocol/prompt-format.js";
import type { ModelRequest, Reply, ScoredToken } from "./protocol/protocol.js";
import { ReplyText } from "./protocol/reply-text.js";
import type { Rollout } from "./rollout.js";
import { generationFailed } from "./sampling.js";

/** Text of a growing reply, with the tokens since the text before it. */
export interface Delta {
  readonly text: string;
  readonly tokens: ScoredToken[];
}

/** The whole reply, with the text and the tokens that no delta had. */
export type LastDelta = Reply & { readonly rest: string; readonly tokens: ScoredToken[] };

interface Sampled {
  /** Whether the most probable token is sampled each time. */
  readonly isGreedy: boolean;
  /** Whether the reply is held to a form. */
  readonly isHeld: boolean;
  /** Tokens that end the reply, and are no part of its text. */
  readonly stopTokens: readonly number[];
}

export class Choice {
  private readonly text: ReplyText;
  private readonly scored: ScoredToken[] = [];

  /** Adds the call to the rollout. */
  constructor(
    private readonly rollout: Rollout,
    private readonly call: Call,
    private readonly sequence: Sequence,
    private readonly how: Sampled,
    request: ModelRequest,
    private readonly format: PromptFormat,
  ) {
    this.text = new ReplyText(request.stops, format.callReader(request.tools, request.isOneCallAtMost));
    rollout.tree.add(call);
  }

  /**
   * Streams text, with its tokens, once later tokens cannot change it; the last item is the reply. @throws
   * {EndpointError}
   */
  async *deltas(): AsyncGenerator<Delta, LastDelta> {
    try {
      const stream = this.format.textStream(this.how.stopTokens);
      let tokens: ScoredToken[] = [];
      for await (const sampled of this.sequence) {
        tokens.push(this.score(sampled));
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

  /** Ends the reply, which then fails. Has no effect on a complete reply. */
  abort(): void {
    if (this.call.state === "running") this.sequence.abort();
  }

  /** Ends a reply that nobody waits for. */
  abandon(): void {
    this.settle();
  }

  /** At temperature 0, a token has the log-probability at temperature 1: under the distribution of the draw it is 0. */
  private score({ token, logprob, modelLogprob, top = [] }: SampledToken): ScoredToken {
    const own = top.find((each) => each.token === token);
    const scored = { token, logprob: this.how.isGreedy ? (own?.logprob ?? modelLogprob) : logprob, top };
    this.scored.push(scored);
    return scored;
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
    return { content, calls, sampled, scored: this.scored, finish, stop, rest };
  }

  private get failure(): string {
    if (!this.how.isHeld) return "expected finite logits, but received NaN or infinity";
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

/** Returns the id of a tool call in a reply, by which its result names it. */
function callId({ id }: Call, at: number): string {
  return `call_${textHash(`${id} ${at}`)}`;
}
