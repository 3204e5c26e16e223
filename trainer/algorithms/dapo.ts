/** DAPO: decoupled clip and dynamic sampling policy optimization. */
import { bySeat, type Group, type Trajectory } from "../rollout/trajectory.js";
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { isConstant, standardised } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";
import { sampledTokensOf, survivors } from "./parts/survivors.js";

/**
 * DAPO (Yu et al. 2025, "DAPO: an open-source LLM reinforcement learning system at scale", eq. 8 to 13): GRPO's advantages
 * with four changes.
 * - Clip-higher: 1 - 0.2 to 1 + 0.28, so the probability of unlikely tokens can grow.
 * - Dynamic sampling: a group is kept only if 0 < accuracy < 1, since other groups have no gradient (eq. 11).
 *   `dynamic_sampling: score` requires different returns instead, for tasks that are rarely solved completely.
 * - Token mean over the whole batch (eq. 12): L = 1 / sum|o_i| sum_i sum_t -min(u A, clip(u) A).
 * - Overlong reward shaping (eq. 13), with `overlong_tokens` (the paper's cache, 4096 of 20480).
 * There is no KL term by default.
 */
export function dapo(settings: ResolvedSettings): Algorithm {
  const bonus = (episode: readonly Trajectory[]) => overlongReward(settings, sampledTokensOf(episode));
  const { dynamic_sampling: by } = settings;
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    ...(by === "none" ? {} : { keeps: (group: Group) => differ(group, by) }),
    credit: ({ groups }) => creditsOf(settings, outcomeAdvantages(settings, groups, standardised, bonus)),
    loss: engineLoss("ppo", settings),
  };
}

function differ(group: Group, by: "acc" | "score"): boolean {
  return bySeat(group).some(
    (part) => !isConstant(survivors(part).map(({ solved, return: total }) => (by === "acc" ? Number(solved) : total))),
  );
}

/**
 * Returns the penalty of eq. 13 times the factor: 0 up to Lmax - Lc tokens, then falling linearly to -1 at Lmax, and -1
 * beyond.
 */
function overlongReward(
  { max_completion_length: longest, overlong_tokens: band, overlong_penalty_factor: factor }: ResolvedSettings,
  length: number,
): number {
  if (longest === undefined || band === undefined) return 0;
  const over = length - (longest - band);
  return over <= 0 ? 0 : -factor * Math.min(over / band, 1);
}
