/** An episode as training data, independent of its source and of the output format. */
import type { Tool } from "../actions/action-format.js";

/** Task of an episode, identified as in the gym, and the seed with which it is played. */
export interface Played {
  /** The environment as `id@version`. */
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly seed: number;
}

/** A reply with its action and the observation that follows. */
export interface ExportTurn {
  /** Index of the turn among the turns of all players. Default: its place in `turns`. */
  readonly index?: number;
  /** Text of the policy. */
  readonly reply: string;
  /** Action that was sent to the environment; null if the reply had no action. */
  readonly action: string | null;
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

/** An episode, or the conversation of one of its players. */
export interface ExportEpisode {
  /** Id in the gym; for a record of an evaluation: environment, task and sample. */
  readonly id: string;
  readonly played: Played;
  /** Seat of the player; left out if the episode has one player. */
  readonly seat?: string;
  readonly options: Readonly<Record<string, string>>;
  readonly status: "terminated" | "truncated" | "limit";
  /** Sum of the player's rewards. */
  readonly return: number;
  /** Whether the episode is solved. */
  readonly solved: boolean;
  /** Instructions that the policy received. */
  readonly prompt: string;
  /** Tools that the policy was offered; empty if its actions are text. */
  readonly tools: readonly Tool[];
  /** First observation. */
  readonly opening: string;
  readonly turns: readonly ExportTurn[];
}

/** Facts by which episodes are filtered before their steps are read. */
export type EpisodeFacts = Pick<ExportEpisode, "played">;

/** Handle of an episode of a source. The text is loaded on request, so that long lists need little memory. */
export interface EpisodeHandle extends EpisodeFacts {
  /** Loads the conversation of each player, or returns the reason why the episode is left out. */
  load(): Promise<readonly ExportEpisode[] | LeftOut>;
}

/**
 * `several seats`: people have judged the episode of several players, and not the conversation of one of them; or the
 * record of an older evaluation does not tell what each of them got.
 */
export const leftOutReasons = [
  "failed",
  "not ended",
  "without steps",
  "several seats",
  "filtered",
  "removed",
  "too large",
] as const;

export interface LeftOut {
  readonly leftOut: (typeof leftOutReasons)[number];
}

/** The episodes of a source. */
export type EpisodeSource = AsyncIterable<EpisodeHandle>;

/** Facts of an episode of a gym. */
export interface GymEpisode {
  readonly episodeId: string;
  readonly environment: string;
  readonly task: { readonly split: string; readonly index: number };
  readonly seed: number;
  readonly options: Readonly<Record<string, string>>;
  readonly phase: string;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly prompt: string;
  readonly tools: readonly Tool[];
}

/** A step of an episode of a gym. */
export type GymStep = Pick<ExportTurn, "observation" | "reward" | "terminated" | "truncated"> & {
  readonly action: string;
  /** Rewards of the seats; undefined if they share `reward`. */
  readonly rewards?: Readonly<Record<string, number>> | undefined;
  /** Seat that acts next, if the environment has seats. */
  readonly turn?: string | undefined;
  /** Action that the gym read in the text of the step, or null. Absent if the text is the action. */
  readonly read?: string | null;
};

export function playedOf({ environment, task, seed }: Pick<GymEpisode, "environment" | "task" | "seed">): Played {
  return { environment, split: task.split, index: task.index, seed };
}

/** Returns the reason why an episode of a gym is left out, or undefined. */
export function unusable({ phase, terminated, truncated }: GymEpisode): LeftOut | undefined {
  if (phase === "failed") return { leftOut: "failed" };
  return terminated || truncated ? undefined : { leftOut: "not ended" };
}
