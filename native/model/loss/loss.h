#pragma once
#include <cstdint>

namespace palestra {

enum class Policy : int32_t {
  /** Loss -logp, for supervised fine-tuning and behavior cloning. */
  cross_entropy,
  /** Loss -A logp. */
  reinforce,
  /** Loss -min(u A, clip(u) A), u = exp(logp - proximal) (Schulman et al. 2017); dual clip (Ye et al. 2020). */
  ppo,
  /** As `ppo`, with one ratio per sequence: exp of the mean of its tokens' log-ratios (Zheng et al. 2025). */
  gspo,
  /** Loss -sg(clip(u)) A logp, in which clipped tokens keep their gradient (MiniMax 2025). */
  cispo,
};

/**
 * Weight of tokens that an older policy sampled, w = exp(proximal - behavior), as in decoupled PPO (Hilton et al.
 * 2021; AReaL).
 */
enum class BehaviourWeight : int32_t {
  none,
  /** Uses min(w, cap). */
  truncate,
  /** Uses w, or 0 where w > cap. */
  mask,
};

/** Schulman's estimators of KL(policy || reference), r = reference - logp: -r, r^2 / 2, exp(r) - 1 - r. */
enum class KlEstimator : int32_t { none, k1, k2, k3 };

/**
 * The loss is the weighted sum of its tokens' losses. The weights decide whether the loss is a token mean, a sequence
 * mean or a sum over a constant length.
 */
struct Loss {
  Policy policy = Policy::cross_entropy;
  /** Lower clip. The ratio is clipped to [1 - clip_low, 1 + clip_high]. */
  float clip_low = 0.2f;
  float clip_high = 0.2f;
  /** Dual clip. A value above 1 limits the loss to -dual_clip A where A < 0. 0: no limit. */
  float dual_clip = 0;
  BehaviourWeight behaviour_weight = BehaviourWeight::none;
  float behaviour_cap = 5;
  KlEstimator kl = KlEstimator::none;
  float kl_coefficient = 0;
  /** Coefficient of the entropy, which is subtracted from the loss. */
  float entropy_coefficient = 0;
  float temperature = 1;
  /**
   * Weight of the value loss 0.5 max((v - return)^2, (clip(v, old value ± value_clip) - return)^2). An infinite clip
   * gives the plain squared error.
   */
  float value_coefficient = 0;
  float value_clip = 0;
};

/**
 * Sums over tokens, which the caller divides. Only the sums marked as weighted are weighted. The order equals that of
 * the C ABI's fields.
 */
struct LossStatistics {
  double tokens;
  double loss;  // weighted sum of all terms
  double policy_loss;  // weighted
  double kl_loss;  // weighted, before its coefficient
  double value_loss;  // weighted, before its coefficient
  double entropy;
  double ratio;
  double highest_ratio;
  double clipped_low;
  double clipped_high;
  double dual_clipped;
  double behaviour_weight;
  double behaviour_cut;  // number of truncated or masked tokens
  double proximal_kl;  // k3 estimate of KL(policy || proximal)
  double reference_kl;  // k3 estimate of KL(policy || reference)
};

/** Inputs of the loss, one number per token of a pack. The loss does not need arrays that are null. */
struct LossInputs {
  const float* weight;  // 0 leaves the token out
  const float* advantage;
  const float* behaviour;  // log-probability at the time of sampling
  const float* proximal;  // log-probability at the start of this update
  const float* reference;
  const float* returns;
  const float* old_values;
};

}  // namespace palestra
