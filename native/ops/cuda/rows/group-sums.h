#pragma once
#include <functional>

#include "../../../core/memory.h"
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/**
 * Sums over rows in their order, starting from the destination's value. Kernels write the sums of groups of
 * `group_rows` rows side by side, and the groups are added one after the other. Rows that come in several calls give
 * the bits of one call, if every call but the last has a multiple of `group_rows`. For one stream. Memory is allocated
 * once.
 */
class GroupSums {
 public:
  explicit GroupSums(Memory& memory);

  /**
   * Computes to (width) += the sums of the groups, in their order.
   *
   * @param write queues the partials (groups, width) of `count` rows from `first` on; called for as many rows as fit
   */
  void add(Launcher& launcher, float* to, int width, int rows,
           const std::function<void(float* partials, int first, int count)>& write);

 private:
  Buffer<float> partials_;
};

/** `Ops::bias_gradient`. */
template <class T>
void bias_gradient(Launcher& launcher, GroupSums& sums, float* db, Rows<const T> dy, int width, int rows);

}  // namespace palestra::cuda
