/**
 * Decoupled PPO (Hilton et al. 2021, "Batch size-invariance for policy optimization"; AReaL, eq. 5), for every algorithm
 * whose loss the engine has: the policy that sampled (behaviour) is not the one that updates stay near (proximal).
 *
 *     L = E[ w loss(u) ],  w = exp(proximal - behaviour),  u = exp(logprob - proximal)
 *
 * Proximal is the policy at the start of the update. w is truncated at the cap, or masked past it; the sum is divided
 * by the tokens before masking, so that what is masked makes no other token louder.
 *
 * Two traps of other trainers are refused with the other contradictions: a decoupled loss without a weight, and one
 * optimiser step a batch, of which u is 1 everywhere and the clip never acts.
 */
import type { Loss } from "../../native/api/index.js";
import type { ResolvedSettings } from "./defaults.js";

export function behaviourWeighting({
  use_decoupled_loss: isDecoupled,
  behav_imp_weight_mode: mode,
  behav_imp_weight_cap: cap,
}: ResolvedSettings): Pick<Loss, "behaviourWeight" | "behaviourCap"> {
  if (!isDecoupled) return {};
  return { behaviourWeight: mode, behaviourCap: cap };
}
