/** An episode as training data, independent of its source and of the output format. */
import type { ActionFormat, Tool } from "../actions/action-format.js";

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
  readonly status: "terminated" | "truncated" | "limit";
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

/** `several seats`: the episode is no dialogue of one player, which is what the formats hold. */
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

/**
 * Returns an episode of a gym, whose actions are written as the replies of a model.
 *
 * @param format format in which the actions are written
 * @param solvedReward lowest return of a solved episode
 * @param opening first observation
 */
export function exportEpisodeOf(
  episode: GymEpisode,
  format: ActionFormat,
  solvedReward: number,
  opening: string,
  steps: readonly GymStep[],
): ExportEpisode {
  const { prompt, tools = [] } = format.opening(episode.prompt, episode.tools);
  const turns = steps.map(({ action: text, read, observation, reward, terminated, truncated }) => {
    const outcome = { observation, reward, terminated, truncated };
    // The text of a step with a format is what the model wrote.
    if (read !== undefined) return { reply: text, action: read ?? "", ...outcome };
    return { reply: format.write(text, episode.tools) ?? text, action: text, ...outcome };
  });
  const sum = turns.reduce((total, { reward }) => total + reward, 0);
  return {
    id: episode.episodeId,
    played: playedOf(episode),
    options: episode.options,
    status: episode.terminated ? "terminated" : "truncated",
    return: sum,
    solved: sum >= solvedReward,
    prompt,
    tools,
    opening,
    turns,
  };
}
