/**
 * The contract of a protocol of the endpoint: a reader makes a `ModelRequest` from a body, and a writer makes the reply,
 * whole or as the events of a stream. Calls, tokens and log-probabilities do not depend on the protocol, so a rollout may
 * mix protocols.
 */
import type { SequenceResult } from "../../../native/api/index.js";
import type { EndpointError } from "./errors.js";
import type { IdentifiedCall, Message, Tool } from "./message.js";
import type { ReplyForm } from "./reply-form.js";

export interface Protocol {
  /** Path below `/rollouts/:id/v1/`. */
  readonly path: string;
  /** Prefix of the ids of replies. */
  readonly idPrefix: string;
  /**
   * Reads the body of a request.
   *
   * @param history earlier calls of the rollout
   * @throws {EndpointError} the first parameter that is invalid or unsupported
   */
  read(body: unknown, history: History): ModelRequest;
  /** Returns the body of an error. */
  errorBody(error: EndpointError): object;
  /** Route that counts the tokens of a request, if the protocol has one. */
  readonly counting?: {
    /** Path below `/rollouts/:id/v1/`. */
    readonly path: string;
    /** Returns the body of the reply. */
    bodyOf(tokens: number): object;
  };
}

/** Earlier calls of a rollout, for requests that name them instead of sending their messages again. */
export interface History {
  /**
   * Returns the messages of a finished call without its instructions, and its reply as the last message; undefined if no
   * finished call has the id.
   */
  messagesOf(id: string): readonly Message[] | undefined;
}

/** Sampling parameters of a request; undefined or null if the request leaves them to the endpoint. */
export interface SamplingParameters {
  readonly temperature?: number | null | undefined;
  readonly top_p?: number | null | undefined;
  readonly top_k?: number | null | undefined;
  readonly min_p?: number | null | undefined;
  readonly presence_penalty?: number | null | undefined;
  readonly frequency_penalty?: number | null | undefined;
  readonly repetition_penalty?: number | null | undefined;
  /** Numbers to add to the logits of tokens, by token id. */
  readonly logit_bias?: Readonly<Record<string, number>> | null | undefined;
  readonly seed?: number | null | undefined;
  readonly stop_token_ids?: readonly number[] | null | undefined;
}

/** A request for a reply, in the form that all protocols share. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Number of leading messages that a call which continues from this one by its id does not inherit. */
  readonly instructions: number;
  /** Tools to show to the model. */
  readonly tools: readonly Tool[];
  /** Form to which the reply is held. */
  readonly form: ReplyForm;
  /** Whether the reply ends after its first tool call. */
  readonly isOneCallAtMost: boolean;
  readonly sampling: SamplingParameters;
  /** Number of replies to sample. */
  readonly choices: number;
  /** Number of most probable tokens to report with each token. */
  readonly topTokens: number;
  /** Whether the reply reports log-probabilities. */
  readonly hasLogprobs: boolean;
  /** Maximum number of tokens in the reply; undefined for the endpoint's own limit. */
  readonly maxNewTokens: number | undefined;
  readonly stops: readonly string[];
  readonly isStreamed: boolean;
  /** Seat whose agent sent the request, if the rollout has seats. */
  readonly seat?: string | undefined;
  /** Names of the parameters that have no effect, such as `tools[].cache_control`. */
  readonly ignored: readonly string[];
  /** Makes the writer of the reply. */
  writer(call: CallFacts): ReplyWriter;
}

/** Facts of a call that replies contain. */
export interface CallFacts {
  /** Id of the first choice. */
  readonly id: string;
  /** Name of the served model. */
  readonly model: string;
  /** Number of tokens before the reply. */
  readonly promptTokens: number;
  /** Number of tokens that the call has in common with an earlier call of the rollout. */
  readonly cachedTokens: number;
  /** Returns the tokens before the reply. */
  prompt(): Int32Array;
  /** Returns the text and bytes of a single token, which may be a part of a character. */
  spell(token: number): { text: string; bytes: number[] };
}

/** A complete reply. */
export interface Reply {
  readonly content: string;
  readonly calls: readonly IdentifiedCall[];
  readonly sampled: SequenceResult;
  /** The sampled tokens. */
  readonly scored: readonly ScoredToken[];
  readonly finish: "stop" | "length" | "tool_calls";
  /** Stop string that ended the reply, if one did. */
  readonly stop: string | undefined;
}

/**
 * A token with its log-probability under the distribution from which it was sampled, and the most probable tokens of that
 * distribution. At temperature 0 they are those at temperature 1.
 */
export interface ScoredToken {
  readonly token: number;
  readonly logprob: number;
  readonly top: readonly { readonly token: number; readonly logprob: number }[];
}

/** A server-sent event. */
export interface StreamEvent {
  /** Name of the event, for protocols whose events have names. */
  readonly name?: string;
  readonly data: object | string;
}

export interface ReplyWriter {
  /** @param replies the choices in order, one of them unless the request asks for more */
  whole(replies: readonly Reply[]): object;
  /** Makes the events before the first text. */
  first(): StreamEvent[];
  /** Makes the events of a piece of text. @param tokens tokens sampled since the previous piece of the choice */
  text(content: string, tokens: readonly ScoredToken[], choice: number): StreamEvent[];
  /**
   * Makes the last events of a choice. @param rest text that was not yet sent @param tokens tokens sampled since the last
   * piece
   */
  last(reply: Reply, rest: string, tokens: readonly ScoredToken[], choice: number): StreamEvent[];
  /** Makes the events after those of all choices. */
  end(replies: readonly Reply[]): StreamEvent[];
  /** Makes the last events of a reply that failed. */
  failed(error: EndpointError): StreamEvent[];
}
