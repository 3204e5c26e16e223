#include "logit-rules.h"

namespace palestra {

LogitRules::LogitRules(const LogitPenalties& penalties, const std::vector<int32_t>& tokens)
    : applies_(penalties.any()),
      presence_(penalties.presence),
      frequency_(penalties.frequency),
      repetition_(penalties.repetition) {
  for (const auto& bias : penalties.biases) seen_[bias.first].bias += bias.second;
  // Given tokens have only the penalty of repetition.
  if (repetition_ == 1) return;
  for (int32_t token : tokens) seen_[token].occurred = true;
}

void LogitRules::count(int32_t token) {
  if (!applies_) return;
  Seen& seen = seen_[token];
  seen.occurred = true;
  ++seen.sampled;
}

void LogitRules::append(std::vector<LogitChange>& changes, int32_t row) const {
  for (const auto& entry : seen_) {
    const Seen& seen = entry.second;
    const float penalty = seen.sampled > 0 ? presence_ + frequency_ * static_cast<float>(seen.sampled) : 0;
    changes.push_back({row, entry.first, seen.occurred ? repetition_ : 1, seen.bias - penalty});
  }
}

}  // namespace palestra
