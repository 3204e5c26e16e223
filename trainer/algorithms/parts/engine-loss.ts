/** Converts an algorithm's settings to the engine's loss, and each row to the inputs of the loss. */
import type { Loss, LossInputs } from "../../../native/api/index.js";
import type { Trajectory } from "../../rollout/trajectory.js";
import type { Algorithm, Credit, Estimates } from "./algorithm.js";
import { behaviourWeighting } from "./decoupled.js";
import type { ResolvedSettings } from "./defaults.js";

export function engineLoss(policy: Loss["policy"], settings: ResolvedSettings): Loss {
  const { kl_ctl, kl_estimator, use_kl_in_reward, c_clip, temperature, entropy_coef } = settings;
  const clips = policy === "ppo" || policy === "gspo" || policy === "cispo";
  return {
    policy,
    temperature,
    entropyCoefficient: entropy_coef,
    ...(clips ? { clipLow: settings.eps_clip, clipHigh: settings.eps_clip_higher } : {}),
    ...(c_clip === undefined ? {} : { dualClip: c_clip }),
    ...behaviourWeighting(settings),
    ...(kl_ctl > 0 && !use_kl_in_reward ? { kl: kl_estimator, klCoefficient: kl_ctl } : {}),
  };
}

/** Returns which log-probabilities the loss needs, computed at the start of an update. */
export function needsOf({ recompute_logprob, kl_ctl }: ResolvedSettings): Algorithm["needs"] {
  return { proximal: recompute_logprob, reference: kl_ctl > 0, values: false };
}

/** Returns the log-probabilities in the ratio's denominator, under the proximal policy or the behavior policy. */
export function proximalLogprobs(
  { needs }: Pick<Algorithm, "needs">,
  trajectory: Trajectory,
  estimates?: Estimates,
): Float32Array {
  if (!needs.proximal) return trajectory.logprobs;
  if (!estimates?.logprobs)
    throw new TypeError(`expected log-probabilities of trajectory ${trajectory.episodeId}, but received none`);
  return estimates.logprobs;
}

/** Returns the engine's inputs for a row, by token. @param estimates entry of the row in `Batch.estimates` */
export function lossInputs(
  algorithm: Algorithm,
  trajectory: Trajectory,
  credit: Credit,
  estimates?: Estimates,
): LossInputs {
  return {
    weight: credit.weights,
    advantage: credit.advantages,
    behaviour: trajectory.logprobs,
    proximal: proximalLogprobs(algorithm, trajectory, estimates),
    ...(estimates?.reference ? { reference: estimates.reference } : {}),
    ...(estimates?.values ? { oldValues: estimates.values } : {}),
    ...(credit.returns ? { returns: credit.returns } : {}),
  };
}
