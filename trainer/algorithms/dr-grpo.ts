/** Dr.GRPO: GRPO without its biases. */
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { centred } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";

/**
 * Dr.GRPO (Liu et al. 2025, "Understanding R1-Zero-like training: a critical perspective", section 3.2): GRPO without
 * its two biases. Without the division by the standard deviation, easy and hard tasks have the same weight. Without the
 * division by the answer's own length, long and short wrong answers have the same loss per token:
 *
 *     A_i = R_i - mean(R)
 *     L   = 1/(G L_max) sum_i sum_t -min(u A, clip(u) A)
 *
 * L_max is `max_completion_length`. Default: eps_clip 0.2.
 */
export function drGrpo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, centred)),
    loss: engineLoss("ppo", settings),
  };
}
