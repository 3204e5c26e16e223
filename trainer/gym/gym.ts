/**
 * The contract of a gym, for every protocol: facts about environments, and episodes to play. `gym-client.ts` uses the
 * protocol of `/v1/socket`; `agentgym-client.ts` uses AgentGym's HTTP protocol.
 */

import type { components } from "../../openapi/gym.js";
import type { Tool } from "../../server/formats/actions/action-format.js";
import { textWithoutSecrets } from "../../server/formats/secrets.js";
import type { Played } from "../../server/formats/training/episode.js";

export type { Played, Tool };

export type FailureClass = components["schemas"]["Error"]["class"];

/**
 * The error of a failed call of the gym. `code` is one of the gym's own codes, or a code that the clients set:
 *
 * | code | class | when |
 * |---|---|---|
 * | GYM_UNREACHABLE | infrastructure | no server answers at the address while the client retries |
 * | GYM_TIMEOUT | infrastructure | a request was not answered in time |
 * | GYM_REPLY | infrastructure | the reply does not fit the protocol |
 * | GYM_REFUSED | action | the address does not serve this protocol to this caller |
 * | GYM_CLOSED | action | the client was closed |
 */
export class GymError extends Error {
  override readonly name = "GymError";
  readonly class: FailureClass;

  constructor(
    readonly code: string,
    failureClass: FailureClass,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    // Records and reports keep messages, which may quote an address with a token.
    super(textWithoutSecrets(message));
    this.class = failureClass;
  }

  /** Whether the same call may succeed if it is repeated later. */
  get passes(): boolean {
    return this.class === "infrastructure" || this.class === "capacity";
  }
}

/** A requirement of an environment that the gym's machine does not meet. */
export interface LackingRequirement {
  readonly name: string;
  /** Expected state and actual state, as text. */
  readonly detail: string;
  /** The remedy, as a sentence. */
  readonly howToGet: string;
}

export interface GymEnvironment {
  /** The environment as `id@version`. */
  readonly id: string;
  /** Task splits by name, with their sizes if the gym reports them. */
  readonly splits: ReadonlyMap<string, number | undefined>;
  /** Split for requests without a split. */
  readonly defaultSplit: string;
  /** Number of steps after which the gym truncates an episode; undefined without a limit. */
  readonly maxSteps: number | undefined;
  /** Minimum return of an episode whose task is solved. */
  readonly solvedReward: number;
  readonly hasExpert: boolean;
  /**
   * Requirements that the gym's machine does not meet. Empty if it meets all requirements, or if the gym does not
   * report them.
   */
  readonly lacks: readonly LackingRequirement[];
  /** Key in an episode's `info` of the kind of its task. */
  readonly familyKey: string | undefined;
  /** Options by name, each with its values. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** Instructions and tools of the seats, by seat; undefined if the environment has one player. */
  readonly seats?: ReadonlyMap<string, { readonly prompt: string; readonly tools: readonly Tool[] }> | undefined;
  /** Returns the actions as functions, for the given options; empty if the environment has no tools. */
  tools(options: Readonly<Record<string, string>>): readonly Tool[];
}

export interface EpisodeRequest {
  /** Name of the environment: `textcraft` for the newest version, `textcraft@1` for version 1. */
  readonly environment: string;
  /** Task split. Default: the environment's default split. */
  readonly split?: string | undefined;
  readonly index: number;
  /** Seed of the episode. Default 0. */
  readonly seed?: number | undefined;
  /** Values of the environment's options. */
  readonly options?: Readonly<Record<string, string>> | undefined;
}

export interface GymStep {
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Seat that acts next, if the environment has seats. */
  readonly turn?: string | undefined;
  /** Rewards of the seats; undefined if they share `reward`. */
  readonly rewards?: Readonly<Record<string, number>> | undefined;
  readonly info: Readonly<Record<string, unknown>>;
}

/** An open episode. Calls reject with `GymError`, or with the signal's reason. */
export interface GymEpisode {
  readonly id: string;
  readonly environment: GymEnvironment;
  readonly played: Played;
  /** Instructions for an agent, for the options of the episode. */
  readonly prompt: string;
  /** Actions as functions, for the options of the episode; empty if the environment has no tools. */
  readonly tools: readonly Tool[];
  /** First observation. */
  readonly observation: string;
  /** Seat that acts first, if the environment has seats. */
  readonly turn?: string | undefined;
  /** Facts about the task, for trainers and people. */
  readonly info: Readonly<Record<string, unknown>>;
  step(action: string, signal?: AbortSignal): Promise<GymStep>;
  /** Requests the expert's next action; null if no action can still earn the reward. */
  expert(signal?: AbortSignal): Promise<string | null>;
  /** Closes the episode on the server. Never rejects; a second call has no effect. */
  close(): Promise<void>;
}

/** Names of at most 200 characters, without secrets. */
export interface EpisodeLabels {
  readonly run?: string;
  readonly policy?: string;
}

export interface GymClient {
  readonly url: string;
  environment(name: string): Promise<GymEnvironment>;
  begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode>;
  /** Sets the names under which the gym lists the episodes that begin from now on. Absent if it has no such lists. */
  label?(labels: EpisodeLabels): void;
  /** Closes open episodes, then the connection. Never rejects; a second call has no effect. */
  close(): Promise<void>;
}
