/** RLOO: REINFORCE with a leave-one-out baseline. */
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { type GroupBaseline, outcomeAdvantages } from "./parts/outcome-advantages.js";

/**
 * RLOO (Ahmadian et al. 2024, "Back to basics", eq. 7; Kool et al. 2019): each trajectory counts as one action. Its
 * baseline is the mean return of the other trajectories, which is independent of its own return:
 *
 *     A_i = R_i - 1/(G - 1) sum_(j != i) R_j = G/(G - 1) (R_i - mean(R))
 *     L   = 1/G sum_i sum_t -A_i log pi(t)
 *
 * There is no ratio and no clip; the decoupled loss corrects for old samples.
 */
export function rloo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, leaveOneOut)),
    loss: engineLoss("reinforce", settings),
  };
}

/** Leave-one-out baseline. With returns per turn, it leaves out all turns of the same episode. */
const leaveOneOut: GroupBaseline = (values, stretches) =>
  values.map((value, index) => {
    const others = values.filter((_, other) => stretches[other]?.episode !== stretches[index]?.episode);
    return value - others.reduce((total, each) => total + each, 0) / others.length;
  });
