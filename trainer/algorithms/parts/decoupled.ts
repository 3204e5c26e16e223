/**
 * Decoupled PPO (Hilton et al. 2021, "Batch size-invariance for policy optimization"; AReaL, eq. 5), for every
 * algorithm whose loss the engine computes: the behavior policy, which sampled the tokens, differs from the proximal
 * policy, to which updates stay close.
 *
 *     L = E[ w loss(u) ],  w = exp(proximal - behavior),  u = exp(logprob - proximal)
 *
 * The proximal policy is the policy at the start of the update. w is truncated to the cap, or masked above it. The sum
 * is divided by the number of tokens before masking, so masked tokens do not raise the weight of the remaining tokens.
 *
 * Two traps of other trainers are refused as contradictions: a decoupled loss without a weight, and a single
 * optimizer step per batch, where u is 1 everywhere and the clip never acts.
 */
import type { Loss } from "../../../native/api/index.js";
import type { ResolvedSettings } from "./defaults.js";

export function behaviourWeighting({
  use_decoupled_loss: isDecoupled,
  behav_imp_weight_mode: mode,
  behav_imp_weight_cap: cap,
}: ResolvedSettings): Pick<Loss, "behaviourWeight" | "behaviourCap"> {
  if (!isDecoupled) return {};
  return { behaviourWeight: mode, behaviourCap: cap };
}
