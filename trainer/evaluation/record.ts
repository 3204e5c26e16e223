/** The record of an episode of a benchmark run. */

import type { Played, Tool } from "../gym/gym.js";
import type { Usage } from "../policy/policy.js";
import type { TrajectoryFailure, TrajectoryStatus } from "../rollout/trajectory.js";

export interface TurnRecord {
  /** Text of the policy. */
  readonly reply: string;
  /** Action that was sent; left out if the reply had no action. */
  readonly action?: string;
  readonly observation: string;
  readonly reward: number;
  /** Rewards of the seats. Left out if they share `reward`. */
  readonly rewards?: Readonly<Record<string, number>>;
  /** Whether the environment refused the action as malformed, and said so in the step's info. Left out if it did not. */
  readonly invalid?: boolean;
  /** Seat that replied, if the environment has seats. */
  readonly seat?: string;
}

export interface EpisodeRecord {
  readonly played: Played;
  /** Number of the sample of its task, from 0. */
  readonly sample: number;
  /** Kind of the task. */
  readonly family?: string;
  /** Player of each seat, if the environment has seats. Records of earlier versions lack it. */
  readonly players?: Readonly<Record<string, "policy" | "partner">>;
  readonly status: TrajectoryStatus;
  readonly failure?: TrajectoryFailure;
  readonly score: number;
  readonly solved: boolean;
  readonly usage?: Usage;
  /** Milliseconds from the start to the end of the episode, retries included. */
  readonly wallMs: number;
  /** Instructions of the environment; only stored in the first record of a file that has them. */
  readonly prompt?: string;
  /** Tools that the policy was offered in addition to the prompt. Left out if the policy had no tools. */
  readonly tools?: readonly Tool[];
  /** Instructions and tools of each seat; stored with `prompt`. Left out without seats. */
  readonly seats?: Readonly<Record<string, { readonly prompt: string; readonly tools?: readonly Tool[] }>>;
  /** First observation. */
  readonly opening: string;
  readonly turns: readonly TurnRecord[];
}
