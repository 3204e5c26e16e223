/**
 * Trajectories: the record of each episode, with the exact tokens that the policy read and wrote. A trajectory contains
 * all data that an algorithm needs; no text is tokenized again.
 */

import type { Played } from "../gym/gym.js";
import type { Usage } from "../policy/policy.js";

/** One step of an episode: an action, the observation before it and its reward. */
export interface TrajectoryStep {
  /** The step's sampled tokens are `tokens[first]` to `tokens[end - 1]`; both are 0 for a policy without tokens. */
  readonly first: number;
  readonly end: number;
  /** Action that was sent to the environment, as parsed from the reply. */
  readonly action: string;
  /** Hash of the observation before the action. Equal states have equal hashes (GiGPO). */
  readonly observationHash: string;
  /** Sum of the rewards from this step until the next step of the episode, which may be in another row. */
  readonly reward: number;
  /** Position of the step among the steps of all rows; left out if the episode has one row. */
  readonly turn?: number;
}

/**
 * How an episode ended. `limit`: the policy's rounds or context were used up. `failed`: the gym, the policy's server or
 * the agent failed, so the episode is no evidence about the policy.
 */
export type TrajectoryStatus = "terminated" | "truncated" | "limit" | "failed";

export interface TrajectoryFailure {
  /**
   * Class of the gym's error; `policy` if the policy could not reply; `agent` if the program at the rollout endpoint
   * failed.
   */
  readonly class: "action" | "environment" | "infrastructure" | "capacity" | "policy" | "agent";
  readonly code: string;
  readonly message: string;
  /** HTTP status of the policy server's reply. */
  readonly status?: number;
}

/**
 * One row of an episode as tokens. Most episodes have one row. An agent whose calls do not continue each other
 * (sub-agents, edited histories) produces several rows. They have the same episode id and return, and count as one
 * episode in comparisons.
 */
export interface Trajectory {
  readonly episodeId: string;
  /** Number of the row, from 0; left out if the episode has one row. */
  readonly row?: number;
  /** Seat whose player's tokens, steps and return these are; left out if the environment has one player. */
  readonly seat?: string;
  /** Name of the partner that played the seat; left out if the policy that learns or is evaluated played it. */
  readonly partner?: string;
  /**
   * Trajectories of the seats, if the environment has seats. This trajectory then has the steps and rewards of all of them,
   * and no tokens.
   */
  readonly seats?: readonly Trajectory[];
  /** Id of the group. Trajectories of a group play the same task and are compared with each other. */
  readonly group: string;
  readonly played: Played;
  /** `[tokens]`: prompt, observations and sampled tokens, in the order of the conversation. */
  readonly tokens: Int32Array;
  /** `[tokens]`: 1 for sampled tokens, 0 for given ones. */
  readonly mask: Uint8Array;
  /** `[tokens]`: log-probabilities under the behavior policy, in nats; 0 where the mask is 0. */
  readonly logprobs: Float32Array;
  /** `[tokens]`: policy version that sampled the token; -1 where the mask is 0. */
  readonly versions: Int32Array;
  readonly steps: readonly TrajectoryStep[];
  readonly status: TrajectoryStatus;
  readonly failure?: TrajectoryFailure;
  /** Sum of the episode's rewards over all of its rows. */
  readonly return: number;
  /** Whether the return reaches the environment's threshold for a solved task. */
  readonly solved: boolean;
  /**
   * Tokens and requests of the policy in all attempts, including failed attempts, without those of partners; undefined if the
   * policy does not count them.
   */
  readonly usage?: Usage;
}

/** The rollouts of one task that are compared with each other. Failed rollouts are not part of baselines and losses. */
export interface Group {
  readonly id: string;
  readonly trajectories: readonly Trajectory[];
  /** Trajectories that failed after all retries. */
  readonly failed: readonly Trajectory[];
  /** Name of the player of each seat: `learner`, or a partner. Left out if the environment has one player. */
  readonly players?: Readonly<Record<string, string>>;
}

/** Name of the policy that learns, in `Group.players`. */
export const learner = "learner";

/**
 * Splits a group by seats. A seat's return is compared only with returns of the same seat. A group without seats is
 * returned as it is.
 */
export function bySeat({ id, trajectories, failed }: Group): Group[] {
  const names = new Set([...trajectories, ...failed].map(({ seat }) => seat));
  return [...names].map((name) => ({
    id: name === undefined ? id : `${id}/${name}`,
    trajectories: trajectories.filter(({ seat }) => seat === name),
    failed: failed.filter(({ seat }) => seat === name),
  }));
}

/** Groups rows by episode, and by seat in it. Returns the rows of each. */
export function episodesOf(trajectories: readonly Trajectory[]): Trajectory[][] {
  const episodes = new Map<string | Trajectory, Trajectory[]>();
  for (const trajectory of trajectories) {
    const key = trajectory.row === undefined ? trajectory : `${trajectory.episodeId} ${trajectory.seat ?? ""}`;
    const rows = episodes.get(key);
    if (rows) rows.push(trajectory);
    else episodes.set(key, [trajectory]);
  }
  return [...episodes.values()];
}

/** Returns the oldest policy version among the sampled tokens; undefined without sampled tokens. */
export function oldestVersion({ mask, versions }: Trajectory): number | undefined {
  let oldest: number | undefined;
  for (let token = 0; token < mask.length; token++) {
    if (mask[token] === 1 && (oldest === undefined || (versions[token] as number) < oldest)) oldest = versions[token];
  }
  return oldest;
}
