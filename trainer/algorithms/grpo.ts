/** GRPO: group relative policy optimization. */
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { standardised } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";

/**
 * GRPO (Shao et al. 2024, "DeepSeekMath", eq. 3 and 4, outcome supervision): of the G trajectories of a task
 *
 *     A_i = (R_i - mean(R)) / (std(R) + 1e-6), the same for all of its tokens
 *     L   = 1/G sum_i 1/|o_i| sum_t [-min(u A, clip(u, 1 - eps, 1 + eps) A) + beta k3]
 *
 * with the unbiased standard deviation. Defaults: eps_clip 0.2; kl_ctl (beta) 0, where the paper has 0.04.
 */
export function grpo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, standardised)),
    loss: engineLoss("ppo", settings),
  };
}
