/**
 * Whoever plays: a model in the native engine, a model behind an OpenAI-compatible server, an environment's expert, or
 * chance. A policy holds many conversations at once, one an episode.
 */
import type { ActionFormat } from "../actions/action-format.js";
import type { Played, Tool } from "../gym/gym.js";

/** What a conversation begins with. */
export interface Opening {
  readonly played: Played;
  /** Instructions, for the option values and the action format that are played with. */
  readonly prompt: string;
  /** The action format that is played with. Default: the policy's own. */
  readonly format?: ActionFormat;
  /** What a policy that picks or is told actions has to write them with; empty where the environment has none. */
  readonly tools: readonly Tool[];
  /** The same where a model is to be shown them in its own way. */
  readonly offered?: readonly Tool[] | undefined;
  /** What the environment shows first. */
  readonly observation: string;
  /** With the conversation's own turn it keys all random draws, so that a run can be repeated. */
  readonly seed: number;
  /** The expert's next action, where the environment has one and the gym lets the caller ask. */
  expert?(): Promise<string | null>;
}

/** What the policy wrote. */
export interface Reply {
  /** All of it, thoughts included. */
  readonly text: string;
  /** Why it ended there: at a stop, at the limit of a reply, or at the end of the context. */
  readonly finish: "stop" | "length" | "context";
  /** Sampled tokens in `tokens()`; both 0 of a policy without tokens. */
  readonly first: number;
  readonly end: number;
}

/** Token for token what a conversation was, as `Trajectory` has it. */
export interface Tokens {
  readonly tokens: Int32Array;
  readonly mask: Uint8Array;
  readonly logprobs: Float32Array;
  readonly versions: Int32Array;
}

/** What a conversation cost, in the server's own counts where it is a server's. Retried requests count. */
export interface Usage {
  readonly requests: number;
  /** Tokens read, of every request anew. */
  readonly promptTokens: number;
  /** Tokens written. */
  readonly completionTokens: number;
}

export interface Conversation {
  /**
   * The next reply, after what the environment answered to the one before; the first call has no observation.
   * Throws `PolicyError` where the policy cannot answer.
   */
  reply(observation: string | undefined, signal: AbortSignal): Promise<Reply>;
  /** Undefined of a policy that knows no tokens. */
  tokens(): Tokens | undefined;
  /** So far. Left out by a policy that counts nothing. */
  usage?(): Usage;
  /** Frees what it holds. Twice is fine. */
  close(): void;
}

export interface Policy {
  readonly name: string;
  /** What decides how it plays beside its name and settings, such as which weights it has: part of what is measured. */
  readonly facts?: Readonly<Record<string, string>>;
  converse(opening: Opening): Conversation;
  close(): Promise<void>;
}

/** The policy could not answer: retried by the rollout, and never scored as the policy's fault. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  constructor(
    readonly code: string,
    message: string,
    /** Whether the same request may do better later. */
    readonly retryable: boolean,
    readonly facts: PolicyErrorFacts = {},
  ) {
    super(message);
  }
}

export interface PolicyErrorFacts {
  /** The reason in a few words, for a line of progress: "429", "connection refused". Default: the code. */
  readonly brief?: string;
  /** HTTP status with which a policy server answered. */
  readonly status?: number;
  /** Whether every other request would fail as well, as with a wrong key, address or model. Default false. */
  readonly isFatal?: boolean;
}

/** A failed attempt that is about to be repeated. */
export interface Retry {
  /** The reason in a few words. */
  readonly brief: string;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}
