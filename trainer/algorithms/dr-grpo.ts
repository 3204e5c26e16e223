/** Dr.GRPO: GRPO without its biases. */
import type { Algorithm } from "./algorithm.js";
import { creditsOf } from "./credit.js";
import type { ResolvedSettings } from "./defaults.js";
import { engineLoss, needsOf } from "./engine-loss.js";
import { centred } from "./group-baseline.js";
import { outcomeAdvantages } from "./outcome-advantages.js";

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
