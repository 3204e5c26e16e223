/** Lite PPO: normalization by the group's mean and the batch's deviation, and a mean over tokens. */
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { centred, deviationEpsilon, standardDeviation } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";
import { comparable } from "./parts/survivors.js";
import { sampleOf, stretchesOf } from "./parts/turn-discount.js";

/**
 * Lite PPO (Liu et al. 2025, "Part I: tricks or traps? A deep dive into RL for LLM reasoning"): without a critic,
 *
 *     A_i = (R_i - mean of its group) / (std of the returns of the batch + 1e-6)
 *
 * and PPO's clip with the mean of tokens. The batch's deviation does not approach 0 if the returns of a group are
 * almost equal. Default: eps_clip 0.2.
 */
export function litePpo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => {
      const { turn_discount: discount } = settings;
      const returns = comparable(groups)
        .flat()
        .flatMap((episode) => stretchesOf(episode, discount));
      const values = sampleOf(returns, discount).map(({ value }) => value);
      const deviation = standardDeviation(values) + deviationEpsilon;
      const baseline = (values: readonly number[]) => centred(values).map((value) => value / deviation);
      return creditsOf(settings, outcomeAdvantages(settings, groups, baseline));
    },
    loss: engineLoss("ppo", settings),
  };
}
