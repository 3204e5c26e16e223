#pragma once
#include <functional>

#include "../../core/memory.h"
#include "../ops.h"
#include "launcher.h"

namespace palestra::cuda {

/**
 * Sums over rows in their order, starting from what is there: kernels write the sums of groups of `group_rows` rows,
 * side by side, then these are added one after the other. Rows that come in several calls, each but the last a multiple
 * of `group_rows`, give the bits of one call. For one stream; its memory is taken once.
 */
class GroupSums {
 public:
  explicit GroupSums(Memory& memory);

  /**
   * to (width) += the sums over each group, group by group
   * @param write asks for partials (groups, width) of `count` rows from `first` on; called for as many as fit
   */
  void add(Launcher& launcher, float* to, int width, int rows,
           const std::function<void(float* partials, int first, int count)>& write);

 private:
  Buffer<float> partials_;
};

/** As `Ops::bias_gradient`. */
template <class T>
void bias_gradient(Launcher& launcher, GroupSums& sums, float* db, Rows<const T> dy, int width, int rows);

}  // namespace palestra::cuda
