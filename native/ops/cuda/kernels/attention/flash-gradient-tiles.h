#pragma once
/**
 * Parts that both kernels of the backward pass share. A block holds the rows of two tiles in registers as left factors:
 * 32 rows per warp for heads of 64 elements, 16 for 128. The block reads the rows of two other tiles against the held
 * rows. For dQ the block holds queries and dO and reads keys and values. For dK and dV the block holds keys and values
 * and reads queries and dO. In both cases S and dP, or their transposes, are sums that lanes already hold as the next
 * product needs them. These sums never leave the registers.
 *
 * dQ has a kernel of its own, which recomputes S and dP: 7 products instead of 5. Adding dQ up in the kernel of dK and
 * dV would write and read dQ in float for each tile of keys. An implementation that uses no atomics would need more
 * time for this than for the two products.
 */
#include "flash-tiles.h"

namespace palestra::cuda::flash {

template <int size>
struct HeldRows {
  /** Number of tiles of 16 held rows per warp. */
  static constexpr int tiles = flash_held_rows(size) / (flash_threads / warp_size) / 16;
  static constexpr int warp_rows = 16 * tiles;
  static constexpr int warp_bytes = warp_rows * size * element_bytes;
  static constexpr int tile_bytes = flash_threads / warp_size * warp_bytes;
  static_assert(2 * tile_bytes <= flash_gradient_bytes(size), "the held tiles fit into the memory of the stages");
  using Factors = uint32_t[tiles][size / 16][4];
  template <int rows_read>
  using Scores = float[tiles][rows_read / 8][4];
  using Sums = float[tiles][size / 8][4];

  static DEVICE int first_row_of_warp() { return warp_index() * warp_rows; }
};

/**
 * The data that are read at a time: two tiles and the statistics of their rows, at these offsets of one of two stages.
 */
template <int size>
struct StageLayout {
  static constexpr int tile_bytes = flash_read_rows * size * element_bytes;
  static constexpr int first = 0;
  static constexpr int second = tile_bytes;
  static constexpr int statistics = 2 * tile_bytes;
  static constexpr int bytes = flash_gradient_bytes(size) / 2;
};

/** Reads the rows of two heads that a block holds into these tiles. Rows from `present` on are zero. Block. */
template <int size>
DEVICE void copy_held(int first_tile, const bf16* first, int first_stride, int second_tile, const bf16* second,
                      int second_stride, int present) {
  copy_tile<size, flash_held_rows(size)>(first_tile, first, first_stride, present);
  copy_tile<size, flash_held_rows(size)>(second_tile, second, second_stride, present);
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
}

/** Row of element e of tile i in a warp's scores, and column of element e of tile j. */
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
