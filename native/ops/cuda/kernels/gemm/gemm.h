#pragma once
/** Matrix products c (m, n) = start + a (m, k) b (k, n): definitions that the host and the kernels share. */
#include <cstddef>
#include <cstdint>

#include "../../../../core/half.h"

namespace palestra::cuda {

/** Number of parts of n. The last part may be smaller. */
PALESTRA_EVERYWHERE constexpr int gemm_parts(int n, int size) { return n / size + (n % size != 0); }

/** Length of k that a block copies to shared memory at a time: 128 bytes. */
constexpr int gemm_depth = 64;

/**
 * Defines the order of a sum of `linear` over k. Each slice of this length is summed in steps of 16, the first slice
 * from the result's initial value. The slices' sums are added in order. The order depends on k alone, so any tile, and
 * any distribution of slices over blocks, gives the same bits. The bound is chosen so that the one chain of a decoded
 * row (some 33 cycles per 16 of k) is not slower than reading the weights.
 */
constexpr int longest_slice = 2048;

PALESTRA_EVERYWHERE constexpr int slice_length(int k) {
  const int slices = k > longest_slice ? gemm_parts(k, longest_slice) : 1;
  return gemm_parts(gemm_parts(k > 0 ? k : 1, slices), gemm_depth) * gemm_depth;
}
PALESTRA_EVERYWHERE constexpr int slice_count(int k) { return k > 0 ? gemm_parts(k, slice_length(k)) : 1; }

/** A row-major matrix of bf16 or float. */
struct GemmMatrix {
  void* data;
  int64_t stride;
  bool is_float;
};

struct GemmArguments {
  /** Left factor, with element (i, k) at i * stride + k, or at k * stride + i in kernels for a transposed factor. */
  const bf16* left;
  int64_t left_stride;
  /** Right factor, with element (j, k) at j * stride + k, or at k * stride + j if transposed. */
  const bf16* right;
  int64_t right_stride;
  /** Initial values of the sums. Null data means 0. */
  GemmMatrix start;
  GemmMatrix result;
  /** Distance, in floats, between the results (m, n) of slices, when each z of the grid does one slice. */
  int64_t slice_stride;
  /** Bias (n), or null. */
  const bf16* bias;
  int m;
  int n;
  int k;
  /** Length of a slice in units of `gemm_depth`. At least all of k when the sum is one chain. */
  int slice_steps;
  /** Whether rows of the result begin at multiples of 16 bytes. */
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
 * A block's part of c: rows x columns, computed by warps of warp_rows x warp_columns each. `stages` steps of k are in
 * shared memory or on their way to shared memory.
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
  /** Length of a row of sums in shared memory: 8 past a multiple of 32, so that no bank conflicts occur. */
  static constexpr int result_stride = columns + 8;
  static constexpr int result_bytes = rows * result_stride * 4;
  static constexpr int pipeline_bytes = stages * stage_bytes > result_bytes ? stages * stage_bytes : result_bytes;
  /** Bytes of the sums that are kept behind the pipeline when slices run one after the other. */
  static constexpr int kept_bytes = rows * columns * 4;
};

// Few rows and many weights: bytes in flight decide the speed. 3.35 TB/s times 0.8 us are 2.7 MB, or 20 KiB for each of
// 132 multiprocessors. Seven stages of 32 rows of weights are 28 KiB.
using Tile16x32 = GemmTile<16, 32, 16, 16, 8>;
using Tile32x32 = GemmTile<32, 32, 16, 16, 8>;
using Tile64x32 = GemmTile<64, 32, 32, 16, 8>;
// The tiles from here on also support transposed factors, which are read 64 at a time.
using Tile64x64 = GemmTile<64, 64, 32, 32, 6>;
using Tile64x128 = GemmTile<64, 128, 32, 64, 4>;
using Tile128x128 = GemmTile<128, 128, 64, 64, 3>;
using Tile128x256 = GemmTile<128, 256, 64, 64, 3>;
/**
 * Tile as large as the tile above, but of another shape, for products where the tile above would leave multiprocessors
 * idle.
 */
using Tile192x192 = GemmTile<192, 192, 64, 48, 3>;
/** Tile for rows that do not begin at multiples of 16 bytes. */
using TileUnaligned = GemmTile<64, 64, 32, 32, 2>;

// Products in float: one chain of fused multiply-adds, for proofs.

/** A factor with strides in both directions, so that one kernel computes every layout. */
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
  /** Whether the product is added to the result. */
  bool add;
};

constexpr int float_gemm_threads = 256;
constexpr int float_gemm_rows = 128;
constexpr int float_gemm_columns = 64;
constexpr int float_gemm_depth = 16;
/** Shared memory of each factor (depth, its rows), with 4 numbers of padding between one k and the next. */
constexpr int float_gemm_shared_bytes = float_gemm_depth * (float_gemm_rows + float_gemm_columns + 8) * 4;

}  // namespace palestra::cuda
