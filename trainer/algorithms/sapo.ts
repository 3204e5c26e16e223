/** SAPO: soft adaptive policy optimization. */
import type { Trajectory } from "../rollout/trajectory.js";
import type { Algorithm, Credit, CustomGradients, Estimates } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { needsOf, proximalLogprobs } from "./parts/engine-loss.js";
import { standardised } from "./parts/group-baseline.js";
import { clampLogRatio, klEstimate, klSlope } from "./parts/kl.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";

/**
 * SAPO (Gao et al. 2025, "Soft adaptive policy optimization", eq. 5 to 7): GRPO's advantages, with a smooth gate
 * instead of the clip: a token's gradient fades as its ratio moves away from 1 and never becomes 0:
 *
 *     L = -f(u) A,  f(u) = 4/tau sigmoid(tau (u - 1)),  u = exp(logprob - proximal)
 *
 * with tau = `sapo_tau_pos` (1) for A > 0 and `sapo_tau_neg` (1.05) otherwise, so negative gradients fade faster. At
 * u = 1 the gradient is PPO's. KL and entropy terms are as in the engine's losses.
 */
export function sapo(settings: ResolvedSettings): Algorithm {
  const needs = needsOf(settings);
  return {
    name: settings.algorithm,
    needs,
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, standardised)),
    loss: {
      temperature: settings.temperature,
      gradients: (trajectory, credit, current, entropies, estimates) => {
        const proximal = proximalLogprobs({ needs }, trajectory, estimates);
        return gradientsOf(settings, trajectory, credit, current, entropies, proximal, estimates);
      },
    },
  };
}

function gradientsOf(
  settings: ResolvedSettings,
  { mask, tokens }: Trajectory,
  { advantages, weights }: Credit,
  current: Float32Array,
  entropies: Float32Array | undefined,
  proximal: Float32Array,
  estimates: Estimates | undefined,
): CustomGradients {
  const { entropy_coef, kl_ctl, kl_estimator } = settings;
  const logprob = new Float32Array(tokens.length);
  const entropy = new Float32Array(tokens.length);
  let loss = 0;
  for (let token = 0; token < tokens.length; token++) {
    if (mask[token] !== 1) continue;
    const weight = weights[token] as number;
    const policy = gate(
      settings,
      (current[token] as number) - (proximal[token] as number),
      advantages[token] as number,
    );
    // Without reference log-probabilities, kl_ctl is 0.
    const distance = estimates?.reference ? (current[token] as number) - (estimates.reference[token] as number) : 0;
    logprob[token] = weight * (policy.slope + kl_ctl * klSlope(kl_estimator, distance));
    entropy[token] = -weight * entropy_coef;
    const uncertainty = entropies?.[token] ?? 0;
    loss += weight * (policy.loss + kl_ctl * klEstimate(kl_estimator, distance) - entropy_coef * uncertainty);
  }
  return { logprob, loss, ...(entropy_coef === 0 ? {} : { entropy }) };
}

/** Returns -f(u) A and its derivative with respect to the log-probability, -4 sigmoid (1 - sigmoid) u A. */
function gate({ sapo_tau_pos, sapo_tau_neg }: ResolvedSettings, logRatio: number, advantage: number) {
  const tau = advantage > 0 ? sapo_tau_pos : sapo_tau_neg;
  const ratio = Math.exp(clampLogRatio(logRatio));
  const open = 1 / (1 + Math.exp(-tau * (ratio - 1)));
  const isHeld = clampLogRatio(logRatio) !== logRatio;
  return { loss: (-4 / tau) * open * advantage, slope: isHeld ? 0 : -4 * open * (1 - open) * ratio * advantage };
}
