/**
 * The contract of a gym, for every protocol: facts about environments, and episodes to play. `gym-client.ts` speaks
 * `/v1/socket`; `agentgym-client.ts` speaks AgentGym's HTTP.
 */
import type { components } from "../../openapi/gym.js";

/**
 * One of an environment's actions as a function. Its `action` is a template: `get {count} {item}`, or
 * `{"text": "{text}"}` for a text that is written as JSON.
 */
export type Tool = components["schemas"]["Tool"];

/** A task as the gym names it, and the seed that it is played with. */
export interface Played {
  /** `id@version` */
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly seed: number;
}

export type FailureClass = components["schemas"]["Error"]["class"];

/**
 * A failed call of the gym. `code` is one of the gym's own codes, or one that the clients find out themselves:
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
    super(message);
    this.class = failureClass;
  }

  /** Whether the same call may succeed later. */
  get passes(): boolean {
    return this.class === "infrastructure" || this.class === "capacity";
  }
}

/** A requirement of an environment that the gym's machine does not meet. */
export interface LackingRequirement {
  readonly name: string;
  /** Expected and found state, as text. */
  readonly detail: string;
  /** The remedy, as a sentence. */
  readonly howToGet: string;
}

export interface GymEnvironment {
  /** `id@version` */
  readonly id: string;
  /** Task splits by name, with their sizes where the gym reports them. */
  readonly splits: ReadonlyMap<string, number | undefined>;
  /** Split of requests that name none. */
  readonly defaultSplit: string;
  /** Number of steps after which the gym truncates; undefined if it does not. */
  readonly maxSteps: number | undefined;
  /** Least return of an episode whose task is solved. */
  readonly solvedReward: number;
  readonly hasExpert: boolean;
  /** Requirements that the gym's machine does not meet. Empty if it meets all, or the gym does not report them. */
  readonly lacks: readonly LackingRequirement[];
  /** Key of an episode's `info` that holds the kind of its task. */
  readonly familyKey: string | undefined;
  /** Options by name, each with its values. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** Actions as functions, for the given options; empty if the environment has none. */
  tools(options: Readonly<Record<string, string>>): readonly Tool[];
}

export interface EpisodeRequest {
  /** `textcraft` for the newest version, `textcraft@1` for that one. */
  readonly environment: string;
  /** Default: the environment's own. */
  readonly split?: string | undefined;
  readonly index: number;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Values of the environment's options. */
  readonly options?: Readonly<Record<string, string>> | undefined;
}

export interface GymStep {
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Readonly<Record<string, unknown>>;
}

/** An open episode. Calls reject with `GymError`, or with the signal's reason. */
export interface GymEpisode {
  readonly id: string;
  readonly environment: GymEnvironment;
  readonly played: Played;
  /** Instructions for an agent, for the options of the episode. */
  readonly prompt: string;
  /** Actions as functions, for the same options; empty if there are none. */
  readonly tools: readonly Tool[];
  /** First observation. */
  readonly observation: string;
  /** Facts about the task, for trainers and people. */
  readonly info: Readonly<Record<string, unknown>>;
  step(action: string, signal?: AbortSignal): Promise<GymStep>;
  /** Asks for the expert's next action; null if no action leads to the reward. */
  expert(signal?: AbortSignal): Promise<string | null>;
  /** Frees the episode on the server. Never rejects; calling it twice is allowed. */
  close(): Promise<void>;
}

export interface GymClient {
  readonly url: string;
  environment(name: string): Promise<GymEnvironment>;
  begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode>;
  /** Closes open episodes, then the connection. Never rejects; calling it twice is allowed. */
  close(): Promise<void>;
}
