#include "group-sums.h"

#include "chunk.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

template <bool wide, class T>
DEVICE void sum_groups(const SumGroups<T>& a) {
  constexpr int n = chunk_size<T>;
  const unsigned item = blockIdx.x * group_sums_threads + threadIdx.x;
  const unsigned chunks = static_cast<unsigned>(chunks_of<T>(a.width));
  const int64_t group = item / chunks, first = group * group_rows;
  const int column = static_cast<int>(item % chunks) * n;
  if (first >= a.count) return;
  Words chunk[group_rows];
  for (int row = 0; row < group_rows; ++row) {
    const int width = first + row < a.count ? a.width : 0;
    chunk[row] = load_chunk<wide>(a.rows[first + row] + column, width - column);
  }
  float sum[n] = {};
  for (int row = 0; row < group_rows; ++row) {
    float values[n];
    unpack(values, chunk[row], T{});
    for (int j = 0; j < n; ++j) sum[j] += values[j];
  }
  store<wide>(a.partials + group * a.width + column, sum, a.width - column);
}

}  // namespace

PALESTRA_KERNEL(sum_groups_bf16, SumGroups<bf16>, group_sums_threads) {
  a.wide ? sum_groups<true>(a) : sum_groups<false>(a);
}
PALESTRA_KERNEL(sum_groups_f32, SumGroups<float>, group_sums_threads) {
  a.wide ? sum_groups<true>(a) : sum_groups<false>(a);
}

/**
 * All warps load partials, eight groups of 32 columns at a time. Meanwhile the first warp adds the partials loaded
 * before, with one column per lane. No other part of the kernel waits for that chain of additions.
 */
PALESTRA_KERNEL(add_groups_f32, AddGroups, group_sums_threads) {
  constexpr int warps = group_sums_threads / warp_size, loads = add_groups_tile / warps;
  auto* const tile = reinterpret_cast<float*>(shared_memory());  // (add_groups_tile, add_groups_columns)
  const int lane = lane_index(), warp = warp_index();
  const int column = static_cast<int>(blockIdx.x) * add_groups_columns + lane;
  const bool is_there = column < a.width;
  float next[loads];
  const auto bring = [&](int first) {
    for (int i = 0; i < loads; ++i) {
      const int group = first + i * warps + warp;
      next[i] = is_there && group < a.groups ? a.partials[int64_t{group} * a.width + column] : 0;
    }
  };
  bring(0);
  float sum = is_there && warp == 0 ? a.to[column] : 0;
  for (int first = 0; first < a.groups; first += add_groups_tile) {
    __syncthreads();
    for (int i = 0; i < loads; ++i) tile[(i * warps + warp) * add_groups_columns + lane] = next[i];
    __syncthreads();
    bring(first + add_groups_tile);
    if (warp != 0) continue;
    const int count = a.groups - first < add_groups_tile ? a.groups - first : add_groups_tile;
    for (int i = 0; i < count; ++i) sum += tile[i * add_groups_columns + lane];
  }
  if (is_there && warp == 0) a.to[column] = sum;
}

}  // namespace palestra::cuda
