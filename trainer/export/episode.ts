/** An episode for export, independent of its source and of the output format. */
import type { Played, Tool } from "../gym/gym.js";
import type { TrajectoryStatus } from "../rollout/trajectory.js";

/** A reply with its action and the observation that follows. */
export interface ExportTurn {
  /** Text of the policy. */
  readonly reply: string;
  /** Action that was sent to the environment; null if the reply had no action. */
  readonly action: string | null;
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface ExportEpisode {
  /** Id in the gym; for a record of an evaluation: environment, task and sample. */
  readonly id: string;
  readonly played: Played;
  readonly options: Readonly<Record<string, string>>;
  readonly status: Exclude<TrajectoryStatus, "failed">;
  /** Sum of the rewards. */
  readonly return: number;
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
  /** Loads the episode, or returns the reason why it is left out. */
  load(): Promise<ExportEpisode | LeftOut>;
}

export const leftOutReasons = ["failed", "not ended", "without steps", "filtered", "removed"] as const;

export interface LeftOut {
  readonly leftOut: (typeof leftOutReasons)[number];
}

/** The episodes of a source. Reading throws {TrainerError} EXPORT_FAILED. */
export type EpisodeSource = AsyncIterable<EpisodeHandle>;
