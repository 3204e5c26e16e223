#pragma once
/**
 * Parts that the flash kernels share: the rows of a block, tiles of rows in shared memory, and products of tiles on
 * tensor cores. A tile is (rows, size) with swizzled 16-byte chunks: chunk c of row r is at c ^ r % 8. The eight rows
 * of a matrix that ldmatrix reads are therefore in different banks.
 */
#include <cmath>

#include "../simt/simt.h"
#include "flash.h"

namespace palestra::cuda::flash {

using namespace palestra::simt;

struct alignas(16) Chunk {
  uint32_t words[4];
};
constexpr int element_bytes = sizeof(bf16);
constexpr int chunk_bytes = sizeof(Chunk);
constexpr int chunk_elements = chunk_bytes / element_bytes;

/** Rows of one segment. */
struct Tile {
  int segment;
  /** The segment's first row in the pack, and its number of rows. */
  int first;
  int rows;
  /** The tile's first row in the segment. */
  int begin;

  DEVICE bool is_empty() const { return begin >= rows; }
  /** Offset of the segment's statistics among those of a head. */
  DEVICE int statistics() const { return 2 * (first / 2 + segment); }
};

/** Returns the tile with that number, as flash_tile_numbers defines it. Warp. */
DEVICE Tile find_tile(const PackedHeads<bf16>& in, int number, int tile_rows) {
  const int32_t* const starts = in.starts;
  int segment = 0;
  for (int s = lane_index(); s < in.segments; s += warp_size) {
    if (starts[s] / tile_rows + s <= number) segment = s;
  }
  segment = warp_max(segment);
  const int first = starts[segment];
  return {segment, first, starts[segment + 1] - first, (number - first / tile_rows - segment) * tile_rows};
}

/**
 * Byte offset of a chunk in shared memory. Tiles begin at multiples of 256, so a chunk of later columns is at the same
 * offset with some bits flipped. Flipping bits takes one instruction, instead of a register for each step of a product.
 */
template <int size>
DEVICE int tile_place(int tile, int row, int chunk) {
  return tile + row * size * element_bytes + (chunk ^ (row % 8)) * chunk_bytes;
}
DEVICE char* tile_pointer(int place) { return shared_memory() + place; }
/** The offset of the columns 16 `step` further, and of the rows 16 `step` further. */
DEVICE int columns_on(int place, int step) { return place ^ (step * 2 * chunk_bytes); }
template <int size>
DEVICE int rows_on(int place, int step) {
  return place + step * 16 * size * element_bytes;
}

/**
 * Starts to copy `rows` rows of a head. Rows from `present` on become zero. All threads.
 *
 * @tparam at_once number of chunks per thread whose addresses are in registers at a time
 */
template <int size, int rows, int at_once = rows>
DEVICE void copy_tile(int tile, const bf16* from, int stride, int present) {
  constexpr int chunks = size / chunk_elements, rows_at_once = flash_threads / chunks;
  const int first = static_cast<int>(threadIdx.x) / chunks, chunk = static_cast<int>(threadIdx.x) % chunks;
  const int place = tile_place<size>(tile, first, chunk);
#pragma unroll at_once
  for (int step = 0; step < rows / rows_at_once; ++step) {
    const int above = step * rows_at_once;
    copy_async(tile_pointer(place) + above * size * element_bytes,
               from + ((first + above) * stride + chunk * chunk_elements), first < present - above ? 16 : 0);
  }
}

/** The offset that a lane gives for rows of a left factor, or of a right factor that is summed over its rows. */
template <int size>
DEVICE int factor_place(int tile) {
  return tile_place<size>(tile, lane_index() % 16, lane_index() / 16);
}
/** The offset that a lane gives for rows of a right factor that is read transposed. */
template <int size>
DEVICE int transposed_place(int tile) {
  return tile_place<size>(tile, lane_index() / 16 * 8 + lane_index() % 8, lane_index() / 8 % 2);
}

/** Computes d += left (16 m, 16), of that step, times right (16, 16), for the columns from 16 `pair` on. Warp. */
template <int m, int n, int steps>
DEVICE void multiply_step(float (&d)[m][n][4], int pair, const uint32_t (&left)[m][steps][4], int step,
                          const uint32_t (&right)[4]) {
#pragma unroll
  for (int i = 0; i < m; ++i) {
    multiply_bf16(d[i][2 * pair], left[i][step], {right[0], right[1]});
    multiply_bf16(d[i][2 * pair + 1], left[i][step], {right[2], right[3]});
  }
}

/** Reads rows of a tile from `row` on as a left factor (16 m, size). Warp. */
template <int size, int m>
DEVICE void load_left(uint32_t (&left)[m][size / 16][4], int tile, int row) {
  const int place = factor_place<size>(tile) + row * size * element_bytes;
#pragma unroll
  for (int i = 0; i < m; ++i) {
#pragma unroll
    for (int step = 0; step < size / 16; ++step) {
      load_matrices(left[i][step], tile_pointer(rows_on<size>(columns_on(place, step), i)));
    }
  }
}

/**
 * Computes d (16 m, 8 n) += left (16 m, size) times the transpose of 8 n rows, which are `bytes` after a
 * transposed_place. Warp.
 */
template <int size, int m, int n>
DEVICE void multiply_transposed(float (&d)[m][n][4], const uint32_t (&left)[m][size / 16][4], int place,
                                int bytes = 0) {
#pragma unroll
  for (int step = 0; step < size / 16; ++step) {
#pragma unroll
    for (int pair = 0; pair < n / 2; ++pair) {
      uint32_t right[4];
      load_matrices(right, tile_pointer(rows_on<size>(columns_on(place, step), pair) + bytes));
      multiply_step(d, pair, left, step, right);
    }
  }
}

/** The same product, but also reads the left factor: 16 m rows at `left_place`, a factor_place. Warp. */
template <int size, int m, int n>
DEVICE void multiply_tiles_transposed(float (&d)[m][n][4], int left_place, int right_place, int right_bytes = 0) {
#pragma unroll
  for (int step = 0; step < size / 16; ++step) {
    uint32_t left[m][1][4];
#pragma unroll
    for (int i = 0; i < m; ++i) {
      load_matrices(left[i][0], tile_pointer(rows_on<size>(columns_on(left_place, step), i)));
    }
#pragma unroll
    for (int pair = 0; pair < n / 2; ++pair) {
      uint32_t right[4];
      load_matrices(right, tile_pointer(rows_on<size>(columns_on(right_place, step), pair) + right_bytes));
      multiply_step(d, pair, left, 0, right);
    }
  }
}

/** Computes d (16 m, size) += left (16 m, 16 k) times 16 k rows, which are `bytes` after a factor_place. Warp. */
template <int size, int m, int k>
DEVICE void multiply(float (&d)[m][size / 8][4], const uint32_t (&left)[m][k][4], int place, int bytes = 0) {
#pragma unroll
  for (int step = 0; step < k; ++step) {
#pragma unroll
    for (int pair = 0; pair < size / 16; ++pair) {
      uint32_t right[4];
      load_matrices_transposed(right, tile_pointer(rows_on<size>(columns_on(place, pair), step) + bytes));
      multiply_step(d, pair, left, step, right);
    }
  }
}

/**
 * Rounds the sums of a product (16 m, 16 k) to the left factor of the next product. Each lane already holds its
 * elements.
 */
template <int m, int k>
DEVICE void as_left(uint32_t (&left)[m][k][4], const float (&sums)[m][2 * k][4]) {
#pragma unroll
  for (int i = 0; i < m; ++i) {
#pragma unroll
    for (int step = 0; step < k; ++step) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float(&s)[4] = sums[i][2 * step + half];
        left[i][step][2 * half] = pack_bf16(s[0], s[1]);
        left[i][step][2 * half + 1] = pack_bf16(s[2], s[3]);
      }
    }
  }
}

/**
 * Writes a warp's sums (16 m, size), rounded, to the first `present` rows at `to`. Warp.
 *
 * @param tile (16 m, size), used by this warp alone
 */
template <int size, int m>
DEVICE void store_rows(bf16* to, int stride, int present, int tile, const float (&sums)[m][size / 8][4]) {
  const int lane = lane_index(), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int i = 0; i < m; ++i) {
#pragma unroll
    for (int chunk = 0; chunk < size / 8; ++chunk) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        char* const pair = tile_pointer(tile_place<size>(tile, 16 * i + 8 * half + g, chunk)) + 4 * t;
        *reinterpret_cast<uint32_t*>(pair) = pack_bf16(sums[i][chunk][2 * half], sums[i][chunk][2 * half + 1]);
      }
    }
  }
  __syncwarp();
  constexpr int chunks = size / chunk_elements;
#pragma unroll
  for (int step = 0; step < 16 * m * chunks / warp_size; ++step) {
    const int row = lane / chunks + step * (warp_size / chunks), chunk = lane % chunks;
    if (row < present) {
      *reinterpret_cast<Chunk*>(to + int64_t{row} * stride + chunk * chunk_elements) =
          *reinterpret_cast<const Chunk*>(tile_pointer(tile_place<size>(tile, row, chunk)));
    }
  }
}

/** Sums over the four lanes that share a row of sums. All four lanes get the result. Warp. */
DEVICE float row_sum(float value) {
  value += shuffle_xor(value, 1);
  return value + shuffle_xor(value, 2);
}
DEVICE float row_max(float value) {
  value = fmaxf(value, shuffle_xor(value, 1));
  return fmaxf(value, shuffle_xor(value, 2));
}

}  // namespace palestra::cuda::flash
