/**
 * What the trainer wants of a gym, whichever protocol it speaks: facts of an environment, and episodes to play.
 * `gym-client.ts` speaks `/v1/socket`, `agentgym-client.ts` AgentGym's HTTP.
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
 * A call of the gym that failed. `code` is the gym's own, or one of what the clients find out themselves:
 *
 * | code | class | when |
 * |---|---|---|
 * | GYM_UNREACHABLE | infrastructure | nobody answers at the address, for as long as the client tries |
 * | GYM_TIMEOUT | infrastructure | a request was not answered in time |
 * | GYM_REPLY | infrastructure | what came back is not of the protocol |
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

  /** Whether the same call may do better later. */
  get passes(): boolean {
    return this.class === "infrastructure" || this.class === "capacity";
  }
}

/** A requirement of an environment that the gym's machine does not meet. */
export interface LackingRequirement {
  readonly name: string;
  /** What was looked for, and what was found in its place. */
  readonly detail: string;
  /** The remedy, as a sentence. */
  readonly howToGet: string;
}

export interface GymEnvironment {
  /** `id@version` */
  readonly id: string;
  /** Task splits by name, with their sizes where the gym tells them. */
  readonly splits: ReadonlyMap<string, number | undefined>;
  /** The split meant where a caller names none. */
  readonly defaultSplit: string;
  /** The step at which the gym truncates, if it does. */
  readonly maxSteps: number | undefined;
  /** The least that an episode's rewards add up to where its task was solved. */
  readonly solvedReward: number;
  readonly hasExpert: boolean;
  /** Requirements that the gym's machine does not meet. Empty where it meets all, or where the gym does not tell. */
  readonly lacks: readonly LackingRequirement[];
  /** The entry of an episode's `info` that tells what kind of task it is. */
  readonly familyKey: string | undefined;
  /** Its options by name, each with its values. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** Its actions as functions, for the options that are played with; empty where it has none. */
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
  /** How to play, by the environment's options. */
  readonly options?: Readonly<Record<string, string>> | undefined;
}

export interface GymStep {
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Readonly<Record<string, unknown>>;
}

/** An episode that is being played. Calls reject with `GymError`, or with the signal's reason. */
export interface GymEpisode {
  readonly id: string;
  readonly environment: GymEnvironment;
  readonly played: Played;
  /** Instructions for an agent, for the options that are played with. */
  readonly prompt: string;
  /** Actions as functions, for the same options; empty where there are none. */
  readonly tools: readonly Tool[];
  /** What the agent sees first. */
  readonly observation: string;
  /** Facts of the task, for trainers and people. */
  readonly info: Readonly<Record<string, unknown>>;
  step(action: string, signal?: AbortSignal): Promise<GymStep>;
  /** The expert's next action; null where no way leads to the reward from here. */
  expert(signal?: AbortSignal): Promise<string | null>;
  /** Frees it on the server. Never rejects; twice is fine. */
  close(): Promise<void>;
}

export interface GymClient {
  readonly url: string;
  environment(name: string): Promise<GymEnvironment>;
  begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode>;
  /** Closes the episodes that are still open, then the connection. Never rejects; twice is fine. */
  close(): Promise<void>;
}
