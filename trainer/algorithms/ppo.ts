/** PPO: proximal policy optimization with a critic. */
import type { Loss } from "../../native/api/index.js";
import type { Trajectory } from "../rollout/trajectory.js";
import type { Algorithm, Batch } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { survivingEpisodes } from "./parts/survivors.js";
import { columnsOf, type Place, tokenRewards } from "./parts/token-rewards.js";

/**
 * PPO (Schulman et al. 2017, "Proximal policy optimization algorithms", eq. 7, 9, 11 and 12) with generalized advantage
 * estimation (Schulman et al. 2016, eq. 16) over sampled tokens alone: where t' is the next sampled token,
 *
 *     delta_t = r_t + gamma V(t') - V(t)
 *     A_t     = delta_t + gamma lam A_t'
 *     return  = A_t + V(t)
 *
 * so observation tokens add no discount and have no value, and the rows of an episode are one sequence. A is whitened
 * over the batch; the return is not. The value after the last token is 0 for every ending, since the limits are part of
 * the task.
 *
 * Loss: -min(u A, clip(u, 1 - eps, 1 + eps) A) + vf_coef max((V - return)^2, (clip(V) - return)^2) / 2, mean of tokens.
 * A separate critic has the second term as its own loss, without vf_coef.
 * Defaults: eps_clip 0.2, gamma = lam = 1, value_eps_clip 0.5 (AReaL, verl), vf_coef 0.1, KL as k1 in the reward.
 */
export function ppo(settings: ResolvedSettings): Algorithm {
  const isSeparate = settings.critic === "separate";
  const valueLoss = { valueCoefficient: isSeparate ? 1 : settings.vf_coef, valueClip: settings.value_eps_clip };
  // With advantages of 0, the policy's part of the loss is 0.
  const criticLoss: Loss = { policy: "reinforce", ...valueLoss };
  return {
    name: settings.algorithm,
    needs: { ...needsOf(settings), values: !isSeparate },
    credit: ({ groups, estimates }) => {
      const credited = groups.flatMap(survivingEpisodes).map((episode) => estimate(settings, episode, estimates));
      const advantages = new Map(credited.flatMap(({ advantages }) => [...advantages]));
      const returns = new Map(credited.flatMap(({ returns }) => [...returns]));
      return creditsOf(settings, advantages, returns);
    },
    loss: { ...engineLoss("ppo", settings), ...(!isSeparate && valueLoss) },
    ...(isSeparate && { criticLoss }),
  };
}

/** Computes the advantages and returns of an episode's rows; arrays are `[tokens]`. */
function estimate(settings: ResolvedSettings, episode: readonly Trajectory[], estimates: Batch["estimates"]) {
  const { places, rewards, discounts } = tokenRewards(settings, episode, estimates);
  const [advantages, returns] = [columnsOf(episode), columnsOf(episode)];
  let nextValue = 0;
  let nextAdvantage = 0;
  for (let index = places.length - 1; index >= 0; index--) {
    const { trajectory, token } = places[index] as Place;
    const value = valuesOf(trajectory, estimates)[token] as number;
    const discount = discounts[index] as number;
    const delta = (rewards[index] as number) + discount * nextValue - value;
    nextAdvantage = delta + discount * settings.lam * nextAdvantage;
    nextValue = value;
    (advantages.get(trajectory) as Float64Array)[token] = nextAdvantage;
    (returns.get(trajectory) as Float64Array)[token] = nextAdvantage + value;
  }
  return { advantages, returns };
}

function valuesOf(trajectory: Trajectory, estimates: Batch["estimates"]): Float32Array {
  const values = estimates.get(trajectory)?.values;
  if (values) return values;
  throw new TypeError(`expected values of trajectory ${trajectory.episodeId}, but received none`);
}
