#pragma once
#include <cmath>
#include <ostream>
#include <vector>

#include "model/loss/loss.h"

namespace palestra::test {

/** A loss for tests of every kind. */
struct NamedLoss {
  const char* name;
  Loss loss;
};

inline std::ostream& operator<<(std::ostream& out, const NamedLoss& loss) { return out << loss.name; }

inline std::vector<NamedLoss> losses() {
  std::vector<NamedLoss> all;
  const auto add = [&](const char* name, Policy policy) -> Loss& {
    all.push_back({name, {}});
    all.back().loss.policy = policy;
    return all.back().loss;
  };
  add("cross_entropy", Policy::cross_entropy);
  add("reinforce", Policy::reinforce);
  add("ppo", Policy::ppo).clip_high = 0.28f;
  add("ppo_dual_clip", Policy::ppo).dual_clip = 1.1f;
  Loss& truncated = add("decoupled_truncate", Policy::ppo);
  truncated.behaviour_weight = BehaviourWeight::truncate;
  truncated.behaviour_cap = 1.05f;
  Loss& masked = add("decoupled_mask", Policy::ppo);
  masked.behaviour_weight = BehaviourWeight::mask;
  masked.behaviour_cap = 1.05f;
  const char* kl_names[] = {"kl_k1", "kl_k2", "kl_k3"};
  for (int k = 0; k < 3; ++k) {
    Loss& loss = add(kl_names[k], Policy::reinforce);
    loss.kl = static_cast<KlEstimator>(k + 1);
    loss.kl_coefficient = 2;
  }
  add("entropy_bonus", Policy::reinforce).entropy_coefficient = 1.5f;
  Loss& value = add("value", Policy::cross_entropy);
  value.value_coefficient = 2;
  value.value_clip = INFINITY;
  Loss& clipped_value = add("clipped_value", Policy::cross_entropy);
  clipped_value.value_coefficient = 2;
  clipped_value.value_clip = 0.2f;
  return all;
}

}  // namespace palestra::test
