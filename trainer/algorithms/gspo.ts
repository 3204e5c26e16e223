/** GSPO: group sequence policy optimization. */
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { standardised } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";

/**
 * GSPO (Zheng et al. 2025, "Group sequence policy optimization", eq. 5 to 7): GRPO's advantages, with one ratio for a
 * whole row, since the reward belongs to the whole sequence. As in the paper, a sequence is what the policy wrote in one
 * context, so each row of an episode has a ratio of its own, and |o_i| is the number of sampled tokens of the row:
 *
 *     s_i = exp(1/|o_i| sum_t log(pi / proximal))
 *     L   = 1/G sum_i -min(s_i A_i, clip(s_i, 1 - el, 1 + eh) A_i)
 *
 * With advantages of turns the ratio is per token (eq. 13, sg(s) pi / sg(pi)). Defaults: el 3e-4, eh 4e-4; the
 * logarithm of s is at most 10.
 */
export function gspo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, standardised)),
    loss: engineLoss("gspo", settings),
  };
}
