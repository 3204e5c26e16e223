#pragma once
/**
 * What both kernels of the backward pass are made of. A block holds the rows of two tiles as left factors in registers,
 * a warp 32 of them (of 64 elements) or 16 (of 128), and reads rows of two other tiles against them: for dQ it holds
 * queries and dO and reads keys and values, for dK and dV the other way round. Either way S and dP, or their
 * transposes, are sums that lanes hold as the next product needs them, and never leave the registers.
 *
 * dQ has a kernel of its own, which computes S and dP once more: 7 products in place of 5. Adding it up from the other
 * kernel would write and read it in float for each tile of keys, which takes longer than the two products wherever it
 * is not done by atomics.
 */
#include "flash-tiles.h"

namespace palestra::cuda::flash {

template <int size>
struct HeldRows {
  /** Tiles of 16 held rows of a warp. */
  static constexpr int tiles = flash_held_rows(size) / (flash_threads / warp_size) / 16;
  static constexpr int warp_rows = 16 * tiles;
  static constexpr int warp_bytes = warp_rows * size * element_bytes;
  static constexpr int tile_bytes = flash_threads / warp_size * warp_bytes;
  static_assert(2 * tile_bytes <= flash_gradient_bytes(size), "what is held is loaded where the stages will be");
  using Factors = uint32_t[tiles][size / 16][4];
  template <int rows_read>
  using Scores = float[tiles][rows_read / 8][4];
  using Sums = float[tiles][size / 8][4];

  static DEVICE int first_row_of_warp() { return warp_index() * warp_rows; }
};

/** What is read at a time, at these bytes of one of two stages: two tiles and the statistics of their rows. */
template <int size>
struct StageLayout {
  static constexpr int tile_bytes = flash_read_rows * size * element_bytes;
  static constexpr int first = 0;
  static constexpr int second = tile_bytes;
  static constexpr int statistics = 2 * tile_bytes;
  static constexpr int bytes = flash_gradient_bytes(size) / 2;
};

/** The rows of two heads that a block holds, to these tiles; those from `present` on are zero. Block. */
template <int size>
DEVICE void copy_held(int first_tile, const bf16* first, int first_stride, int second_tile, const bf16* second,
                      int second_stride, int present) {
  copy_tile<size, flash_held_rows(size)>(first_tile, first, first_stride, present);
  copy_tile<size, flash_held_rows(size)>(second_tile, second, second_stride, present);
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
}

/** Row of a warp's scores that element e of tile i is, and column that element e of tile j is. */
DEVICE int row_of_sum(int i, int e) { return 16 * i + lane_index() / 4 + e / 2 * 8; }
DEVICE int column_of_sum(int j, int e) { return 8 * j + lane_index() % 4 * 2 + e % 2; }

DEVICE FlashStatistics* statistics_of(const FlashGradient& a, int head) {
  return a.statistics + int64_t{head} * flash_statistics_rows(a.in.rows, a.in.segments);
}

template <int m, int n>
DEVICE void scale_sums(float (&sums)[m][n][4], float factor) {
#pragma unroll
  for (int i = 0; i < m; ++i) {
#pragma unroll
    for (int j = 0; j < n; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[i][j][e] *= factor;
    }
  }
}

}  // namespace palestra::cuda::flash
