#pragma once
/** Matrix products c (m, n) = start + a (m, k) b (k, n): what host and kernels share. */
#include <cstddef>
#include <cstdint>

#include "../../../core/half.h"

namespace palestra::cuda {

/** Parts of n, the last perhaps a smaller one. */
PALESTRA_EVERYWHERE constexpr int gemm_parts(int n, int size) { return n / size + (n % size != 0); }

/** Of k, what a block brings to shared memory at a time: 128 bytes. */
constexpr int gemm_depth = 64;

/**
 * The order of a sum of `linear` over k: slices of this length, each summed by itself in steps of 16, the first from
 * what the result begins with; then their sums one after the other. It depends on k alone, so that whoever does the
 * slices, one block after the other or several side by side, and with whatever tile, gives the same bits. The bound is
 * where the latency of the one chain of a decoded row (some 33 cycles for 16 of k) falls behind the weights' bandwidth.
 */
constexpr int longest_slice = 2048;

PALESTRA_EVERYWHERE constexpr int slice_length(int k) {
  const int slices = k > longest_slice ? gemm_parts(k, longest_slice) : 1;
  return gemm_parts(gemm_parts(k > 0 ? k : 1, slices), gemm_depth) * gemm_depth;
}
PALESTRA_EVERYWHERE constexpr int slice_count(int k) { return k > 0 ? gemm_parts(k, slice_length(k)) : 1; }

/** A matrix whose numbers are bf16 or float, row-major. */
struct GemmMatrix {
  void* data;
  int64_t stride;
  bool is_float;
};

struct GemmArguments {
  /** Element (i, k) at i * stride + k, or at k * stride + i in kernels that take it turned. */
  const bf16* left;
  int64_t left_stride;
  /** Element (j, k) at j * stride + k, or at k * stride + j. */
  const bf16* right;
  int64_t right_stride;
  /** What sums begin with; null data: 0. */
  GemmMatrix start;
  GemmMatrix result;
  /** The result of slice z is (m, n) at z times this, in elements of float: where each z of the grid does one slice. */
  int64_t slice_stride;
  /** (n), or null */
  const bf16* bias;
  int m;
  int n;
  int k;
  /** In units of `gemm_depth`; no less than all of k where the sum is one chain. */
  int slice_steps;
  /** Rows of the result begin at multiples of 16 bytes. */
  bool result_aligned;
};

/** Adds the slices (slices, m, n) in order, then the bias. */
struct GemmFold {
  const float* sums;
  int slices;
  const bf16* bias;
  GemmMatrix result;
  int m;
  int n;
};
constexpr int gemm_fold_threads = 256;

/**
 * A block's part of c: rows x columns, by warps of warp_rows x warp_columns each; `stages` steps of k are in shared
 * memory or on their way to it.
 */
template <int rows_, int columns_, int warp_rows_, int warp_columns_, int stages_>
struct GemmTile {
  static constexpr int rows = rows_;
  static constexpr int columns = columns_;
  static constexpr int warp_rows = warp_rows_;
  static constexpr int warp_columns = warp_columns_;
  static constexpr int stages = stages_;
  static constexpr int threads = rows / warp_rows * (columns / warp_columns) * 32;
  static constexpr int stage_bytes = (rows + columns) * gemm_depth * 2;
  /** Of a row of sums on their way out: 8 past a multiple of 32, so that no bank is met twice. */
  static constexpr int result_stride = columns + 8;
  static constexpr int result_bytes = rows * result_stride * 4;
  static constexpr int pipeline_bytes = stages * stage_bytes > result_bytes ? stages * stage_bytes : result_bytes;
  /** Behind the pipeline, where slices are done one after the other. */
  static constexpr int kept_bytes = rows * columns * 4;
};

// Few rows beside many weights: what counts is bytes under way. 3.35 TB/s times 0.8 us are 2.7 MB, of 132
// multiprocessors each 20 KiB; seven stages of 32 rows of weights are 28.
using Tile16x32 = GemmTile<16, 32, 16, 16, 8>;
using Tile32x32 = GemmTile<32, 32, 16, 16, 8>;
using Tile64x32 = GemmTile<64, 32, 32, 16, 8>;
// From here on also with turned factors, which come in 64s.
using Tile64x64 = GemmTile<64, 64, 32, 32, 6>;
using Tile64x128 = GemmTile<64, 128, 32, 64, 4>;
using Tile128x128 = GemmTile<128, 128, 64, 64, 3>;
using Tile128x256 = GemmTile<128, 256, 64, 64, 3>;
/** As much as the one above; another shape, for what that one would leave multiprocessors idle with. */
using Tile192x192 = GemmTile<192, 192, 64, 48, 3>;
/** For rows that do not begin at multiples of 16 bytes. */
using TileUnaligned = GemmTile<64, 64, 32, 32, 2>;

// In float: one chain of fused multiply-adds, for proofs.

/** Strides in both directions, so that one kernel does every layout. */
struct FloatFactor {
  const float* data;
  int64_t stride;
  int64_t k_stride;
};

struct FloatGemmArguments {
  FloatFactor left;
  FloatFactor right;
  float* result;
  int64_t result_stride;
  const float* bias;
  int m;
  int n;
  int k;
  /** To what is there. */
  bool add;
};

constexpr int float_gemm_threads = 256;
constexpr int float_gemm_rows = 128;
constexpr int float_gemm_columns = 64;
constexpr int float_gemm_depth = 16;
/** Of each factor (depth, its rows), and 4 numbers between one k and the next. */
constexpr int float_gemm_shared_bytes = float_gemm_depth * (float_gemm_rows + float_gemm_columns + 8) * 4;

}  // namespace palestra::cuda
