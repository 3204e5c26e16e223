/** An episode as every format of export reads it, whichever source it comes from. */
import type { Played, Tool } from "../gym/gym.js";
import type { TrajectoryStatus } from "../rollout/trajectory.js";

/** An action and its answer. */
export interface ExportTurn {
  /** What the policy wrote. */
  readonly reply: string;
  /** What was sent to the environment; null where the reply held nothing to send. */
  readonly action: string | null;
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export interface ExportEpisode {
  /** The gym's id; of a record, its environment, task and sample. */
  readonly id: string;
  readonly played: Played;
  readonly options: Readonly<Record<string, string>>;
  readonly status: Exclude<TrajectoryStatus, "failed">;
  /** Sum of the rewards. */
  readonly return: number;
  readonly solved: boolean;
  /** The environment's instructions, as the policy was given them. */
  readonly prompt: string;
  /** Functions that the policy was offered; empty where its actions are text. */
  readonly tools: readonly Tool[];
  /** What the agent saw first. */
  readonly opening: string;
  readonly turns: readonly ExportTurn[];
}

/** Facts by which episodes are filtered before any step is read. */
export type EpisodeFacts = Pick<ExportEpisode, "played">;

/** An episode of a source: its text is read when it is asked for, so that a list of many stays small. */
export interface EpisodeHandle extends EpisodeFacts {
  /** The episode, or the reason why it is left out. */
  load(): Promise<ExportEpisode | LeftOut>;
}

export const leftOutReasons = ["failed", "not ended", "without steps", "filtered"] as const;

export interface LeftOut {
  readonly leftOut: (typeof leftOutReasons)[number];
}

/** @throws {TrainerError} a source that cannot be read */
export type EpisodeSource = AsyncIterable<EpisodeHandle>;
