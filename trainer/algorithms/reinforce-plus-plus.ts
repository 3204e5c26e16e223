/** REINFORCE++: PPO's clip and normalization over the batch instead of a critic. */
import type { Trajectory } from "../rollout/trajectory.js";
import type { Algorithm, Batch } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { centred } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";
import { survivingEpisodes } from "./parts/survivors.js";
import { columnsOf, type Place, tokenRewards } from "./parts/token-rewards.js";
import type { Advantages } from "./parts/whitening.js";

/**
 * REINFORCE++ (Hu et al. 2025, "REINFORCE++: stabilizing critic-free policy optimization with global advantage
 * normalization"): the return from each sampled token on, over rewards minus kl_ctl k1, whitened over all sampled
 * tokens of the batch:
 *
 *     A_t = sum_(k >= t) gamma^(k - t) (r_k - beta k1_k),  then (A - mean) / std
 *
 * Loss: PPO's clip, mean of tokens. Defaults: eps_clip 0.2, gamma 1; the paper's kl_ctl (beta) is 0.01.
 */
export function reinforcePlusPlus(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups, estimates }) => {
      const episodes = groups.flatMap(survivingEpisodes);
      return creditsOf(
        settings,
        new Map(episodes.flatMap((episode) => [...returnsToGo(settings, episode, estimates)])),
      );
    },
    loss: engineLoss("ppo", settings),
  };
}

/**
 * REINFORCE++-baseline (same paper, for several samples per task): A_i = R_i - mean(R) of the group, then whitened over
 * all sampled tokens of the batch. A KL term is part of the loss.
 */
export function reinforcePlusPlusBaseline(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, centred)),
    loss: engineLoss("ppo", settings),
  };
}

function returnsToGo(
  settings: ResolvedSettings,
  episode: readonly Trajectory[],
  estimates: Batch["estimates"],
): Advantages {
  const { places, rewards, discounts } = tokenRewards(settings, episode, estimates);
  const returns = columnsOf(episode);
  let next = 0;
  for (let index = places.length - 1; index >= 0; index--) {
    const { trajectory, token } = places[index] as Place;
    next = (rewards[index] as number) + (discounts[index] as number) * next;
    (returns.get(trajectory) as Float64Array)[token] = next;
  }
  return returns;
}
