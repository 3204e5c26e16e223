/** A finished episode of a benchmark run, as it is kept and shown. */

import type { Played, Tool } from "../gym/gym.js";
import type { Usage } from "../policy/policy.js";
import type { TrajectoryFailure, TrajectoryStatus } from "../rollout/trajectory.js";

export interface TurnRecord {
  /** What the policy wrote. */
  readonly reply: string;
  /** What was sent; left out where the reply held nothing to send. */
  readonly action?: string;
  readonly observation: string;
  readonly reward: number;
}

export interface EpisodeRecord {
  readonly played: Played;
  /** From 0, among the samples of one task. */
  readonly sample: number;
  /** Which kind of task it is. */
  readonly family?: string;
  readonly status: TrajectoryStatus;
  readonly failure?: TrajectoryFailure;
  readonly score: number;
  readonly solved: boolean;
  readonly usage?: Usage;
  /** Milliseconds from its begin to its end, retries included. */
  readonly wallMs: number;
  /** The environment's instructions, in the first record of a file that has them. */
  readonly prompt?: string;
  /** Functions that the policy was offered, beside the prompt. Left out where it was offered none. */
  readonly tools?: readonly Tool[];
  /** What the agent saw first. */
  readonly opening: string;
  readonly turns: readonly TurnRecord[];
}
