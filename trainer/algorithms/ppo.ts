/** Proximal policy optimisation with a critic. */
import type { Trajectory } from "../rollout/trajectory.js";
import type { Algorithm, Scored } from "./algorithm.js";
import { creditsOf } from "./credit.js";
import type { ResolvedSettings } from "./defaults.js";
import { engineLoss, needsOf } from "./engine-loss.js";
import { survivors } from "./survivors.js";
import { tokenRewards } from "./token-rewards.js";

/**
 * PPO (Schulman et al. 2017, "Proximal policy optimization algorithms", eq. 7, 9, 11 and 12) with generalised advantage
 * estimation (Schulman et al. 2016, eq. 16) over sampled tokens alone: where t' is the next sampled token,
 *
 *     delta_t = r_t + gamma V(t') - V(t)
 *     A_t     = delta_t + gamma lam A_t'
 *     return  = A_t + V(t)
 *
 * so that the tokens of an observation neither discount nor carry values. A is whitened over the batch, the return is
 * not. The value after the last token is 0 however the episode ended: its limits belong to the task.
 *
 * Loss: -min(u A, clip(u, 1 - eps, 1 + eps) A) + vf_coef max((V - return)^2, (clip(V) - return)^2) / 2, mean of tokens.
 * Defaults: eps_clip 0.2, gamma = lam = 1, value_eps_clip 0.5 (AReaL, verl), vf_coef 0.1, KL as k1 in the reward.
 */
export function ppo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: { ...needsOf(settings), values: true },
    credit: ({ groups, scored }) => {
      const estimates = groups
        .flatMap(survivors)
        .map((trajectory) => [trajectory, estimate(settings, trajectory, scored.get(trajectory))] as const);
      const advantages = new Map(estimates.map(([trajectory, { advantages }]) => [trajectory, advantages]));
      const returns = new Map(estimates.map(([trajectory, { returns }]) => [trajectory, returns]));
      return creditsOf(settings, advantages, returns);
    },
    loss: { ...engineLoss("ppo", settings), valueCoefficient: settings.vf_coef, valueClip: settings.value_eps_clip },
  };
}

/** Advantages and returns of a trajectory, (tokens) each. */
function estimate(settings: ResolvedSettings, trajectory: Trajectory, scored: Scored | undefined) {
  const values = scored?.values;
  if (!values) throw new TypeError(`expected values of trajectory ${trajectory.episodeId}, but received none`);
  const { places, rewards, discounts } = tokenRewards(settings, trajectory, scored);
  const advantages = new Float64Array(trajectory.tokens.length);
  const returns = new Float64Array(trajectory.tokens.length);
  let nextValue = 0;
  let nextAdvantage = 0;
  for (let index = places.length - 1; index >= 0; index--) {
    const token = places[index] as number;
    const value = values[token] as number;
    const discount = discounts[index] as number;
    const delta = (rewards[index] as number) + discount * nextValue - value;
    nextAdvantage = delta + discount * settings.lam * nextAdvantage;
    nextValue = value;
    advantages[token] = nextAdvantage;
    returns[token] = nextAdvantage + value;
  }
  return { advantages, returns };
}
