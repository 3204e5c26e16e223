#pragma once
#include <cstdint>

namespace palestra {

enum class Policy : int32_t {
  /** -logp: supervised fine-tuning, behaviour cloning. */
  cross_entropy,
  /** -A logp. */
  reinforce,
  /** -min(u A, clip(u) A), u = exp(logp - proximal) (Schulman et al. 2017); dual clip (Ye et al. 2020). */
  ppo,
  /** The same with one ratio a sequence, exp of the mean of its tokens' (Zheng et al. 2025). */
  gspo,
  /** -sg(clip(u)) A logp: clipped tokens keep their gradient (MiniMax 2025). */
  cispo,
};

/** How old samples count: by w = exp(proximal - behaviour), as decoupled PPO has it (Hilton et al. 2021; AReaL). */
enum class BehaviourWeight : int32_t {
  none,
  /** min(w, cap) */
  truncate,
  /** w, or 0 where w > cap */
  mask,
};

/** Schulman's estimators of KL(policy || reference), r = reference - logp: -r, r^2 / 2, exp(r) - 1 - r. */
enum class KlEstimator : int32_t { none, k1, k2, k3 };

/**
 * The loss of a token, times its weight, summed over tokens: a caller chooses token means, sequence means or constant
 * lengths by the weights.
 */
struct Loss {
  Policy policy = Policy::cross_entropy;
  /** The ratio is clipped to [1 - clip_low, 1 + clip_high]. */
  float clip_low = 0.2f;
  float clip_high = 0.2f;
  /** Above 1: for A < 0 the loss is at most -dual_clip A. 0: none. */
  float dual_clip = 0;
  BehaviourWeight behaviour_weight = BehaviourWeight::none;
  float behaviour_cap = 5;
  KlEstimator kl = KlEstimator::none;
  float kl_coefficient = 0;
  /** Entropy is subtracted with this weight. */
  float entropy_coefficient = 0;
  float temperature = 1;
  /** 0.5 max((v - return)^2, (clip(v, old value ± value_clip) - return)^2); infinite clip: the plain square. */
  float value_coefficient = 0;
  float value_clip = 0;
};

/** Sums over tokens, weighted where it says so; a caller divides. In the order of the fields of the C ABI. */
struct LossStatistics {
  double tokens;
  double loss;  // weighted, all terms together
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
  double behaviour_cut;  // tokens that were truncated or masked
  double proximal_kl;  // k3 of proximal to current
  double reference_kl;  // k3 of reference to current
};

/** What the loss knows of one token, by token of a pack. Null arrays are not needed by the loss at hand. */
struct LossInputs {
  const float* weight;  // 0: not trained
  const float* advantage;
  const float* behaviour;  // log-probability when it was sampled
  const float* proximal;  // log-probability at the start of this update
  const float* reference;
  const float* returns;
  const float* old_values;
};

}  // namespace palestra
