/**
 * The contract of a policy: a model in the native engine, a model behind an OpenAI-compatible server, an environment's
 * expert, or random actions. A policy has many conversations at once, one for each episode.
 */
import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import type { Played, Tool } from "../gym/gym.js";

/** Start of a conversation. */
export interface Opening {
  readonly played: Played;
  /** Instructions, for the options and the action format of the episode. */
  readonly prompt: string;
  /** Action format of the episode. Default: that of the policy. */
  readonly format?: ActionFormat;
  /** Tools that correspond to the environment's actions; empty if it has no tools. */
  readonly tools: readonly Tool[];
  /** Equal to `tools` if the chat template or the server has to show them to the model. */
  readonly offered?: readonly Tool[] | undefined;
  /** First observation. */
  readonly observation: string;
  /** Seed of all random draws, together with the turn, so a run can be repeated. */
  readonly seed: number;
  /**
   * Requests the expert's next action. Left out if the environment has no expert or the caller lacks the right to
   * request actions.
   */
  expert?(): Promise<string | null>;
}

/** Reply of a policy. */
export interface Reply {
  /** Whole text, thoughts included. */
  readonly text: string;
  /** Reason for the end of the reply: a stop token, the limit on its length, or the end of the context. */
  readonly finish: "stop" | "length" | "context";
  /** The sampled tokens are `first` to `end - 1` of `tokens()`; both are 0 for a policy without tokens. */
  readonly first: number;
  readonly end: number;
}

/** Tokens of a conversation, with the shapes of `Trajectory`. */
export interface Tokens {
  readonly tokens: Int32Array;
  readonly mask: Uint8Array;
  readonly logprobs: Float32Array;
  readonly versions: Int32Array;
}

/** Cost of a conversation, retried requests included. For a server, the counts are those that it reports. */
export interface Usage {
  readonly requests: number;
  /** Number of prompt tokens, summed over all requests. */
  readonly promptTokens: number;
  /** Number of sampled tokens. */
  readonly completionTokens: number;
  /** Number of retried requests by cause. Left out if no request was retried. */
  readonly retries?: RetryCounts;
}

/**
 * Cause of a retried request to a policy's server: no reply in time, the rate limit (HTTP 429), an error of the server (HTTP
 * 500 to 599), a connection that failed, or a reply that could not be used.
 */
export const retryCauses = ["timeout", "429", "5xx", "connection", "reply"] as const;
export type RetryCause = (typeof retryCauses)[number];
export type RetryCounts = Readonly<Partial<Record<RetryCause, number>>>;

/** Adds counts of retries. */
export function addRetries(a: RetryCounts, b: RetryCounts): RetryCounts {
  const causes = retryCauses.filter((cause) => a[cause] !== undefined || b[cause] !== undefined);
  return Object.fromEntries(causes.map((cause) => [cause, (a[cause] ?? 0) + (b[cause] ?? 0)]));
}

export interface Conversation {
  /**
   * Writes the next reply to an observation, which is undefined in the first call.
   *
   * @throws {PolicyError} the policy cannot answer
   */
  reply(observation: string | undefined, signal: AbortSignal): Promise<Reply>;
  /** Returns the tokens so far; undefined for a policy without tokens. */
  tokens(): Tokens | undefined;
  /** Returns the cost so far. Left out if the policy does not count it. */
  usage?(): Usage;
  /** Frees the conversation's resources. A second call has no effect. */
  close(): void;
}

export interface Policy {
  readonly name: string;
  /**
   * Facts that identify the policy in addition to its name and settings, such as a hash of its weights. They are part
   * of a measurement.
   */
  readonly facts?: Readonly<Record<string, string>>;
  converse(opening: Opening): Conversation;
  close(): Promise<void>;
}

/**
 * The error of a policy that could not reply. The rollout retries the episode and never counts the error as a failed
 * task.
 */
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
  /** Short reason for the progress line: "429", "connection refused". Default: the code. */
  readonly brief?: string;
  /** HTTP status of the policy server's reply. */
  readonly status?: number;
  /** Whether all further requests would fail too, as with a wrong key, address or model. Default false. */
  readonly isFatal?: boolean;
}

/** A failed attempt that will be retried. */
export interface Retry {
  /** Short reason for the failure. */
  readonly brief: string;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}
