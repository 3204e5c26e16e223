/**
 * Rewards by token, for algorithms whose returns run over tokens. The reward of a step belongs to its last sampled
 * token. A KL penalty relative to the reference policy may be subtracted at each token. The sampled tokens of an
 * episode are one sequence in the order of play, across rows. Observations add no discount: one discount factor applies
 * between the last token of a step and the first token of the next step.
 */
import type { Trajectory } from "../../rollout/trajectory.js";
import type { Batch } from "./algorithm.js";
import type { ResolvedSettings } from "./defaults.js";
import { klEstimate } from "./kl.js";
import { turnsOf } from "./turn-discount.js";

/** Position of a sampled token. */
export interface Place {
  readonly trajectory: Trajectory;
  readonly token: number;
}

export interface TokenRewards {
  readonly places: readonly Place[];
  /** Rewards by place. */
  readonly rewards: Float64Array;
  /** Discount factors by place; each multiplies the return of the next place. */
  readonly discounts: Float64Array;
}

/**
 * Computes the rewards r_t - kl_ctl KL_t, and the discount factors: gamma, times `turn_discount` from one turn to the
 * next.
 */
export function tokenRewards(
  settings: ResolvedSettings,
  episode: readonly Trajectory[],
  estimates: Batch["estimates"],
): TokenRewards {
  const places: Place[] = [];
  const ends: { last: number; reward: number }[] = [];
  for (const { trajectory, first, end, step } of turnsOf(episode)) {
    for (let token = first; token < end; token++) if (trajectory.mask[token] === 1) places.push({ trajectory, token });
    // The reward of a step without tokens belongs to the previous sampled token, or to the first if there is no
    // previous one.
    if (step) ends.push({ last: Math.max(0, places.length - 1), reward: step.reward });
  }
  const rewards = new Float64Array(places.length);
  const discounts = new Float64Array(places.length).fill(settings.gamma);
  for (const { last, reward } of ends) {
    rewards[last] = (rewards[last] as number) + reward;
    discounts[last] = settings.gamma * (settings.turn_discount ?? 1);
  }
  if (settings.kl_ctl > 0 && settings.use_kl_in_reward) payForDistance(settings, estimates, places, rewards);
  return { places, rewards, discounts };
}

/** Returns arrays of zeros for the rows of an episode, with one entry per token. */
export function columnsOf(episode: readonly Trajectory[]): ReadonlyMap<Trajectory, Float64Array> {
  return new Map(episode.map((row) => [row, new Float64Array(row.tokens.length)]));
}

function payForDistance(
  { kl_ctl, kl_estimator, recompute_logprob }: ResolvedSettings,
  estimates: Batch["estimates"],
  places: readonly Place[],
  rewards: Float64Array,
): void {
  for (const [index, { trajectory, token }] of places.entries()) {
    const { reference, logprobs } = estimates.get(trajectory) ?? {};
    const policy = recompute_logprob ? logprobs : trajectory.logprobs;
    if (!reference || !policy) {
      throw new TypeError(
        `expected log-probabilities of the reference policy for trajectory ${trajectory.episodeId}, but received none`,
      );
    }
    const logRatio = (policy[token] as number) - (reference[token] as number);
    rewards[index] = (rewards[index] as number) - kl_ctl * klEstimate(kl_estimator, logRatio);
  }
}
