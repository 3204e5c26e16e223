#include "changes.h"

#include "../simt/simt.h"

namespace palestra::cuda {

using namespace palestra::simt;

PALESTRA_KERNEL(change_logits_f32, ChangeLogits, change_threads) {
  const int i = static_cast<int>(blockIdx.x) * change_threads + static_cast<int>(threadIdx.x);
  if (i >= a.count) return;
  const ChangedLogit change = a.changes[i];
  float* const logit = a.logits + change.place;
  if (a.restores) {
    *logit = a.kept[i];
    return;
  }
  const float before = *logit;
  a.kept[i] = before;
  *logit = (before > 0 ? before / change.divisor : before * change.divisor) + change.addend;
}

}  // namespace palestra::cuda
