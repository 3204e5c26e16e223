/**
 * Rewards by token, for algorithms whose returns run over tokens: the reward of a step stands on its last sampled token,
 * and each token may pay for its distance from the reference policy. Observations stand between steps but are no time:
 * the token after the last of a step is the first of the next, and one discount lies between them.
 */
import type { Trajectory } from "../rollout/trajectory.js";
import type { Scored } from "./algorithm.js";
import type { ResolvedSettings } from "./defaults.js";
import { klEstimate } from "./kl.js";

export interface TokenRewards {
  /** Places of the sampled tokens in the trajectory. */
  readonly places: readonly number[];
  /** By sampled token. */
  readonly rewards: Float64Array;
  /** By sampled token: what its successor's return is multiplied with. */
  readonly discounts: Float64Array;
}

/** r_t - kl_ctl KL_t, and discounts of gamma, of gamma times `turn_discount` from one turn to the next. */
export function tokenRewards(settings: ResolvedSettings, trajectory: Trajectory, scored?: Scored): TokenRewards {
  const places = placesOf(trajectory);
  const rewards = new Float64Array(places.length);
  const discounts = new Float64Array(places.length).fill(settings.gamma);
  for (const { end, reward } of trajectory.steps) {
    const last = lastBefore(places, end);
    rewards[last] = (rewards[last] as number) + reward;
    discounts[last] = settings.gamma * (settings.turn_discount ?? 1);
  }
  if (settings.kl_ctl > 0 && settings.use_kl_in_reward) payForDistance(settings, trajectory, scored, places, rewards);
  return { places, rewards, discounts };
}

function placesOf({ mask }: Trajectory): number[] {
  const places: number[] = [];
  for (let token = 0; token < mask.length; token++) if (mask[token] === 1) places.push(token);
  return places;
}

/** The sampled token that a step ends with; of a step without one, that of the step before, or else the first. */
function lastBefore(places: readonly number[], end: number): number {
  const next = places.findIndex((place) => place >= end);
  return Math.max(0, (next === -1 ? places.length : next) - 1);
}

function payForDistance(
  { kl_ctl, kl_estimator, recompute_logprob }: ResolvedSettings,
  trajectory: Trajectory,
  scored: Scored | undefined,
  places: readonly number[],
  rewards: Float64Array,
): void {
  const reference = scored?.reference;
  if (!scored || !reference) {
    throw new TypeError(
      `expected scores of the reference policy for trajectory ${trajectory.episodeId}, but received none`,
    );
  }
  const policy = recompute_logprob ? scored.logprobs : trajectory.logprobs;
  for (const [index, place] of places.entries()) {
    const logRatio = (policy[place] as number) - (reference[place] as number);
    rewards[index] = (rewards[index] as number) - kl_ctl * klEstimate(kl_estimator, logRatio);
  }
}
