/**
 * The contract of a policy: a model in the native engine, a model behind an OpenAI-compatible server, an environment's
 * expert, or random actions. A policy holds many conversations at once, one for each episode.
 */
import type { ActionFormat } from "../actions/action-format.js";
import type { Played, Tool } from "../gym/gym.js";

/** Start of a conversation. */
export interface Opening {
  readonly played: Played;
  /** Instructions, for the options and the action format of the episode. */
  readonly prompt: string;
  /** Action format of the episode. Default: the policy's own. */
  readonly format?: ActionFormat;
  /** Tools that stand for the environment's actions; empty if it has none. */
  readonly tools: readonly Tool[];
  /** The same tools, if the chat template or the server is to show them to the model. */
  readonly offered?: readonly Tool[] | undefined;
  /** First observation. */
  readonly observation: string;
  /** Seed of all random draws, together with the turn, so a run can be repeated. */
  readonly seed: number;
  /** Asks for the expert's next action. Left out if the environment has no expert or the caller may not ask. */
  expert?(): Promise<string | null>;
}

/** Reply of a policy. */
export interface Reply {
  /** Whole text, thoughts included. */
  readonly text: string;
  /** Reason for the end: a stop token, the limit of a reply, or the end of the context. */
  readonly finish: "stop" | "length" | "context";
  /** The sampled tokens are `first` to `end - 1` of `tokens()`; both are 0 for a policy without tokens. */
  readonly first: number;
  readonly end: number;
}

/** Tokens of a conversation; the shapes are those of `Trajectory`. */
export interface Tokens {
  readonly tokens: Int32Array;
  readonly mask: Uint8Array;
  readonly logprobs: Float32Array;
  readonly versions: Int32Array;
}

/** Cost of a conversation, retried requests included. A server's counts are its own. */
export interface Usage {
  readonly requests: number;
  /** Number of tokens read, counted anew for every request. */
  readonly promptTokens: number;
  /** Number of tokens written. */
  readonly completionTokens: number;
}

export interface Conversation {
  /**
   * Writes the next reply to an observation. The first call has none.
   *
   * @throws {PolicyError} the policy cannot answer
   */
  reply(observation: string | undefined, signal: AbortSignal): Promise<Reply>;
  /** Tokens so far; undefined for a policy without tokens. */
  tokens(): Tokens | undefined;
  /** Cost so far. Left out by a policy that does not count it. */
  usage?(): Usage;
  /** Frees its resources. Calling it twice is allowed. */
  close(): void;
}

export interface Policy {
  readonly name: string;
  /** Facts that identify the policy beside its name and settings, such as its weights. Part of a measurement. */
  readonly facts?: Readonly<Record<string, string>>;
  converse(opening: Opening): Conversation;
  close(): Promise<void>;
}

/** The error of a policy that could not answer. The rollout retries it and never counts it as a failed task. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  constructor(
    readonly code: string,
    message: string,
    /** Whether the same request may succeed later. */
    readonly retryable: boolean,
    readonly facts: PolicyErrorFacts = {},
  ) {
    super(message);
  }
}

export interface PolicyErrorFacts {
  /** Reason in a few words, for the progress line: "429", "connection refused". Default: the code. */
  readonly brief?: string;
  /** HTTP status of the policy server's reply. */
  readonly status?: number;
  /** Whether every other request would fail too, as with a wrong key, address or model. Default false. */
  readonly isFatal?: boolean;
}

/** A failed attempt that is about to be retried. */
export interface Retry {
  /** Reason in a few words. */
  readonly brief: string;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}
