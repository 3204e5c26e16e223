/** On-policy distillation: a teacher scores the tokens that the policy sampled. */
import type { Trajectory } from "../rollout/trajectory.js";
import type { Algorithm, Batch } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { mean, standardised } from "./parts/group-baseline.js";
import { outcomeAdvantages } from "./parts/outcome-advantages.js";
import { survivors } from "./parts/survivors.js";

/**
 * On-policy distillation (Agarwal et al. 2024, "On-policy distillation of language models: learning from self-generated
 * mistakes"; Gu et al. 2024, "MiniLLM", eq. 1) with one sample of the reverse KL for each token:
 *
 *     A_t = log teacher(t) - log policy(t) - b + reward_advantage_w A_GRPO
 *     L   = 1/T sum_t -min(u A, clip(u, 1 - eps, 1 + eps) A), over all T sampled tokens
 *
 * with a baseline b of
 * - `batch_mean` (the default): the mean of log teacher - log policy over the batch's sampled tokens, which lowers the
 *   variance, since almost every token of a distant policy has a negative advantage without it
 * - `none`: 0, as in TRL, verl and slime
 *
 * A token pays only for its own divergence: the discount is 0. On policy, the expectation of the gradient is that of
 * KL(policy || teacher), summed over the states that the policy visits. log policy(t) is that of the policy that sampled the
 * token, or with `recompute_logprob` that of the proximal policy.
 */
export function onPolicyDistillation(settings: ResolvedSettings): Algorithm {
  const { reward_advantage_w: weight, baseline } = settings;
  return {
    name: settings.algorithm,
    needs: { ...needsOf(settings), teacher: true },
    credit: ({ groups, estimates }) => {
      const rewarded = weight > 0 ? outcomeAdvantages(settings, groups, standardised) : undefined;
      const scored = groups.flatMap(survivors).map((row) => [row, closeness(settings, row, estimates)] as const);
      const b = baseline === "none" ? 0 : meanOf(scored);
      const advantages = scored.map(([row, closenesses]) => {
        const ofReward = rewarded?.get(row);
        const sum = closenesses.map((value, token) => value - b + weight * (ofReward?.[token] ?? 0));
        return [row, sum] as const;
      });
      return creditsOf(settings, new Map(advantages));
    },
    loss: engineLoss("ppo", settings),
  };
}

/** Returns the mean over sampled tokens. */
function meanOf(rows: readonly (readonly [Trajectory, Float64Array])[]): number {
  return mean(rows.flatMap(([{ mask }, values]) => [...values].filter((_, token) => mask[token] === 1)));
}

/** Returns log teacher - log policy of each token, which is minus one sample of the reverse KL. */
function closeness(
  { recompute_logprob }: ResolvedSettings,
  trajectory: Trajectory,
  estimates: Batch["estimates"],
): Float64Array {
  const { teacher, logprobs } = estimates.get(trajectory) ?? {};
  const policy = recompute_logprob ? logprobs : trajectory.logprobs;
  if (!teacher || !policy) {
    throw new TypeError(
      `expected log-probabilities of the teacher and the policy for trajectory ${trajectory.episodeId}, but received none`,
    );
  }
  return Float64Array.from(teacher, (value, token) => value - (policy[token] as number));
}
