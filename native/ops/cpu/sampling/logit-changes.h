#pragma once
#include <utility>
#include <vector>

#include "../../ops.h"

namespace palestra {

/** `Ops::change_logits` and `Ops::restore_logits` on a CPU. */
template <class T>
class CpuLogitChanges {
 public:
  void change(T* logits, int vocabulary, const std::vector<LogitChange>& changes) {
    kept_.clear();
    for (const LogitChange& each : changes) {
      const size_t place = static_cast<size_t>(each.row) * vocabulary + each.token;
      const T before = logits[place];
      kept_.emplace_back(place, before);
      logits[place] = (before > 0 ? before / each.divisor : before * each.divisor) + each.addend;
    }
  }
  void restore(T* logits) const {
    for (const auto& each : kept_) logits[each.first] = each.second;
  }

 private:
  /** Places of the changed logits, and the logits before the change. */
  std::vector<std::pair<size_t, T>> kept_;
};

}  // namespace palestra
