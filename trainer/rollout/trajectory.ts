/**
 * What the act of playing leaves: a trajectory for each episode, token for token as the policy read and wrote it. All
 * that any algorithm needs is here; nothing is tokenised again.
 */

import type { Played } from "../gym/gym.js";
import type { Usage } from "../policy/policy.js";

/** One action and its answer. */
export interface TrajectoryStep {
  /** The step's sampled tokens are `tokens[first]` to `tokens[end - 1]`; both are 0 of a policy without tokens. */
  readonly first: number;
  readonly end: number;
  /** What was sent to the environment, taken out of what the policy wrote. */
  readonly action: string;
  /** Of what the policy saw before it acted, as the environment wrote it: equal states have equal hashes (GiGPO). */
  readonly observationHash: string;
  /** Sum of the episode's rewards from this step to its next one, whichever row that lies in. */
  readonly reward: number;
  /** Orders the steps of an episode across its rows; left out where the episode has one row. */
  readonly turn?: number;
}

/**
 * How it ended. `limit`: the rounds or the context that the policy was given were used up. `failed`: machinery did, so
 * that nothing may be concluded about the policy.
 */
export type TrajectoryStatus = "terminated" | "truncated" | "limit" | "failed";

export interface TrajectoryFailure {
  /**
   * Of the gym's error; `policy` where it was the policy that could not answer, `agent` where it was the program that
   * plays at the rollout endpoint.
   */
  readonly class: "action" | "environment" | "infrastructure" | "capacity" | "policy" | "agent";
  readonly code: string;
  readonly message: string;
  /** HTTP status with which a policy server answered. */
  readonly status?: number;
}

/**
 * An episode as tokens: most are one row. An agent whose calls do not continue each other leaves several (sub-agents,
 * edited histories), which have the episode's id and score in common and count as one wherever episodes are compared.
 */
export interface Trajectory {
  readonly episodeId: string;
  /** Counts the rows of an episode that has several; left out of one that has one. */
  readonly row?: number;
  /** Trajectories of one group play the same task and are compared with each other. */
  readonly group: string;
  readonly played: Played;
  /** (tokens): prompt, observations and what was sampled, in the order of the conversation. */
  readonly tokens: Int32Array;
  /** (tokens): 1 where the policy sampled the token, 0 where it was given. */
  readonly mask: Uint8Array;
  /** (tokens): nats under the behaviour policy; 0 where the mask is 0. */
  readonly logprobs: Float32Array;
  /** (tokens): policy version that sampled it; -1 where the mask is 0. */
  readonly versions: Int32Array;
  readonly steps: readonly TrajectoryStep[];
  readonly status: TrajectoryStatus;
  readonly failure?: TrajectoryFailure;
  /** Sum of the episode's rewards, in all of its rows. */
  readonly score: number;
  /** Whether the score reaches what the environment calls solved. */
  readonly solved: boolean;
  /** Of all attempts, those that failed included; undefined of a policy that counts nothing. */
  readonly usage?: Usage;
}

/** Trajectories of one task. Failed ones are left out of every baseline and every loss, and counted. */
export interface Group {
  readonly id: string;
  readonly trajectories: readonly Trajectory[];
  /** Trajectories that failed for good, after their retries. */
  readonly failed: readonly Trajectory[];
}

/** The rows of each episode. */
export function episodesOf(trajectories: readonly Trajectory[]): Trajectory[][] {
  const episodes = new Map<string | Trajectory, Trajectory[]>();
  for (const trajectory of trajectories) {
    const key = trajectory.row === undefined ? trajectory : trajectory.episodeId;
    const rows = episodes.get(key);
    if (rows) rows.push(trajectory);
    else episodes.set(key, [trajectory]);
  }
  return [...episodes.values()];
}

/** The oldest policy version among the sampled tokens; undefined where nothing was sampled. */
export function oldestVersion({ mask, versions }: Trajectory): number | undefined {
  let oldest: number | undefined;
  for (let token = 0; token < mask.length; token++) {
    if (mask[token] === 1 && (oldest === undefined || (versions[token] as number) < oldest)) oldest = versions[token];
  }
  return oldest;
}
