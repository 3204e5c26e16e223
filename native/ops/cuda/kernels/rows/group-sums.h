#pragma once
#include "layout.h"

namespace palestra::cuda {

constexpr int group_sums_threads = 256;

/** Computes partials (groups, width) = the sums over each group's rows, with one thread per chunk of each group. */
template <class T>
struct SumGroups {
  float* partials;
  Strided<const T> rows;
  int width;
  int count;
  bool wide;
};

/** Computes to (width) += partials (groups, width), group by group. */
struct AddGroups {
  float* to;
  const float* partials;
  int width;
  int groups;
};

/** Number of columns of a block of `AddGroups`. The number of groups in shared memory at a time follows. */
constexpr int add_groups_columns = 32;
constexpr int add_groups_tile = 128;
constexpr size_t add_groups_shared_bytes = sizeof(float) * add_groups_columns * add_groups_tile;

constexpr int groups_of(int rows) { return (rows + group_rows - 1) / group_rows; }

}  // namespace palestra::cuda
