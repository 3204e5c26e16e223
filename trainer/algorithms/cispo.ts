/** CISPO: clips importance sampling weights instead of tokens. */
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { standardised } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";

/**
 * CISPO (MiniMax 2025, "MiniMax-M1", eq. 4 and 5): GRPO's advantages, and REINFORCE with the ratio as a weight that is
 * clipped and not differentiated, so rare but decisive tokens keep their gradient:
 *
 *     L = 1 / sum|o_i| sum_i sum_t -sg(clip(u, 1 - el, 1 + eh)) A log pi(t)
 *
 * Defaults: el 1 (no lower bound, as in the paper) and eh 4, a ratio of at most 5 (ScaleRL, Khatri et al. 2025).
 */
export function cispo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, standardised)),
    loss: engineLoss("cispo", settings),
  };
}
