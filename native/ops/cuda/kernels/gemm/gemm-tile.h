#pragma once
#include "gemm-operand.h"
#include "gemm-result.h"

namespace palestra::cuda {

/** A warp's part of a tile, in the fragments of `multiply_bf16`. */
template <class Tile>
struct GemmSums {
  static constexpr int down = Tile::warp_rows / 16;
  static constexpr int across = Tile::warp_columns / 8;

  float d[down][across][4];

  /** First row and column of the warp in the tile. */
  DEVICE static int first_row() { return simt::warp_index() % (Tile::rows / Tile::warp_rows) * Tile::warp_rows; }
  DEVICE static int first_column() { return simt::warp_index() / (Tile::rows / Tile::warp_rows) * Tile::warp_columns; }
  /** Row and column of d[i][j][e] in the tile. */
  DEVICE static int row(int i, int e) { return first_row() + i * 16 + simt::lane_index() / 4 + e / 2 * 8; }
  DEVICE static int column(int j, int e) { return first_column() + j * 8 + simt::lane_index() % 4 * 2 + e % 2; }

  template <class Body>
  DEVICE void each(const Body& body) {
#pragma unroll
    for (int i = 0; i < down; ++i) {
#pragma unroll
      for (int j = 0; j < across; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) body(d[i][j][e], i, j, e);
      }
    }
  }

  DEVICE void clear() {
    each([](float& sum, int, int, int) { sum = 0; });
  }

  DEVICE void begin(const GemmMatrix& start, const GemmPlace& place, int m, int n) {
    clear();
    if (!start.data) return;
    each([&](float& sum, int i, int j, int e) {
      const int r = place.row + row(i, e), c = place.column + column(j, e);
      if (r < m && c < n) sum = gemm_element(start, r * start.stride + c);
    });
  }

  /** Computes += a (rows, 64) b (64, columns), from shared memory. */
  template <class Left, class Right>
  DEVICE void multiply(const char* left, const char* right) {
#pragma unroll
    for (int step = 0; step < gemm_depth / 16; ++step) {
      uint32_t a[down][4], b[across][2];
#pragma unroll
      for (int i = 0; i < down; ++i) Left::template fragment<true>(a[i], left, first_row() + i * 16, step);
#pragma unroll
      for (int j = 0; j < across; j += 2) {
        uint32_t pair[4];
        Right::template fragment<false>(pair, right, first_column() + j * 8, step);
        b[j][0] = pair[0], b[j][1] = pair[1], b[j + 1][0] = pair[2], b[j + 1][1] = pair[3];
      }
#pragma unroll
      for (int i = 0; i < down; ++i) {
#pragma unroll
        for (int j = 0; j < across; ++j) simt::multiply_bf16(d[i][j], a[i], b[j]);
      }
    }
  }

  /** Computes kept = or += these sums. Each thread has places of its own. */
  DEVICE void keep(float* kept, bool first) {
    each([&](float& sum, int i, int j, int e) {
      float& own = kept[((i * across + j) * 4 + e) * Tile::threads + threadIdx.x];
      own = first ? sum : own + sum;
    });
  }
  DEVICE void add_to_kept(const float* kept) {
    each([&](float& sum, int i, int j, int e) {
      sum = kept[((i * across + j) * 4 + e) * Tile::threads + threadIdx.x] + sum;
    });
  }

  DEVICE void stage(float* shared) {
    each([&](float& sum, int i, int j, int e) { shared[row(i, e) * Tile::result_stride + column(j, e)] = sum; });
  }
};

/** Copies the tile from shared memory to c. */
template <class Tile>
DEVICE void gemm_write(const float* shared, const GemmArguments& a, const GemmMatrix& result, const GemmPlace& place) {
  constexpr int row_parts = Tile::columns / gemm_write_width;
  for (int part = static_cast<int>(threadIdx.x); part < Tile::rows * row_parts; part += Tile::threads) {
    const int row = part / row_parts, column = part % row_parts * gemm_write_width;
    GemmValues values;
    values.chunks[0] = reinterpret_cast<const GemmChunk*>(shared + row * Tile::result_stride + column)[0];
    values.chunks[1] = reinterpret_cast<const GemmChunk*>(shared + row * Tile::result_stride + column)[1];
    gemm_write_values(a, result, place.row + row, place.column + column, values);
  }
}

/**
 * Computes a tile of c in any layout. blockIdx.x is the tile. If the grid is deeper than 1, blockIdx.z is the slice.
 */
template <class Tile, bool left_turned, bool right_turned, bool aligned = true>
DEVICE void gemm_tile(const GemmArguments& a) {
  using namespace simt;
  using Left = GemmOperand<Tile::rows, left_turned, aligned, Tile::threads>;
  using Right = GemmOperand<Tile::columns, right_turned, aligned, Tile::threads>;
  char* shared = shared_memory();
  auto* kept = reinterpret_cast<float*>(shared + Tile::pipeline_bytes);
  const GemmPlace place = gemm_place<Tile::rows, Tile::columns>(static_cast<int>(blockIdx.x), a.m, a.n);
  const int slice = static_cast<int>(blockIdx.z);
  const int all_steps = gemm_parts(a.k, gemm_depth);
  const int first = slice * a.slice_steps;
  const int steps = gridDim.z > 1 && all_steps - first > a.slice_steps ? a.slice_steps : all_steps - first;

  Left left(a.left, a.left_stride, place.row, a.m, first * gemm_depth, a.k);
  Right right(a.right, a.right_stride, place.column, a.n, first * gemm_depth, a.k);
  const auto load = [&](int step) {
    if (step < steps) {
      char* stage = shared + step % Tile::stages * Tile::stage_bytes;
      left.load(stage);
      right.load(stage + Left::bytes);
    }
    commit_copies();
  };
#pragma unroll
  for (int step = 0; step < Tile::stages - 1; ++step) load(step);

  GemmSums<Tile> sums;
  sums.begin(slice == 0 ? a.start : GemmMatrix{}, place, a.m, a.n);
  int in_slice = 0;
  bool folded = false;
  for (int step = 0; step < steps; ++step) {
    wait_for_copies<Tile::stages - 2>();
    __syncthreads();
    load(step + Tile::stages - 1);
    const char* stage = shared + step % Tile::stages * Tile::stage_bytes;
    sums.template multiply<Left, Right>(stage, stage + Left::bytes);
    if (++in_slice == a.slice_steps && step + 1 < steps) {
      sums.keep(kept, !folded);
      sums.clear();
      folded = true;
      in_slice = 0;
    }
  }
  if (folded) sums.add_to_kept(kept);

  __syncthreads();
  auto* staged = reinterpret_cast<float*>(shared);
  sums.stage(staged);
  __syncthreads();
  GemmMatrix result = a.result;
  if (slice > 0) result.data = static_cast<float*>(result.data) + slice * a.slice_stride;
  gemm_write<Tile>(staged, a, result, place);
}

}  // namespace palestra::cuda
