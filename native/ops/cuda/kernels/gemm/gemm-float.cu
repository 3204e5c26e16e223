// Products in float, for proofs: each element of c is one chain of fused multiply-adds over k, ascending.
#include <cmath>

#include "../simt/simt.h"
#include "gemm.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

constexpr int depth = float_gemm_depth;
/** The part of a thread: adjacent rows, and columns a quarter warp apart. */
constexpr int thread_rows = 8;
constexpr int thread_columns = 4;
constexpr int column_threads = float_gemm_columns / thread_columns;

/** (depth, extent) of a factor, stored k by k, in rows of `extent + 4`. Adjacent threads read adjacent elements. */
template <int extent>
DEVICE void load(float* shared, const FloatFactor& from, int first, int count, int k, int k_end) {
  const bool k_first = from.k_stride == 1;
  for (int i = static_cast<int>(threadIdx.x); i < extent * depth; i += float_gemm_threads) {
    const int row = k_first ? i / depth : i % extent;
    const int at = k_first ? i % depth : i / extent;
    const bool there = first + row < count && k + at < k_end;
    shared[at * (extent + 4) + row] = there ? from.data[(first + row) * from.stride + (k + at) * from.k_stride] : 0;
  }
}

}  // namespace

PALESTRA_KERNEL(gemm_f32, FloatGemmArguments, float_gemm_threads) {
  auto* left = reinterpret_cast<float*>(shared_memory());
  float* right = left + depth * (float_gemm_rows + 4);
  const int first_row = static_cast<int>(blockIdx.y) * float_gemm_rows;
  const int first_column = static_cast<int>(blockIdx.x) * float_gemm_columns;
  const int row = static_cast<int>(threadIdx.x) / column_threads * thread_rows;
  const int column = static_cast<int>(threadIdx.x) % column_threads;

  float sums[thread_rows][thread_columns];
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
#pragma unroll
    for (int j = 0; j < thread_columns; ++j) {
      const int r = first_row + row + i, c = first_column + column + j * column_threads;
      sums[i][j] = a.add && r < a.m && c < a.n ? a.result[r * a.result_stride + c] : 0;
    }
  }
  for (int k = 0; k < a.k; k += depth) {
    __syncthreads();
    load<float_gemm_rows>(left, a.left, first_row, a.m, k, a.k);
    load<float_gemm_columns>(right, a.right, first_column, a.n, k, a.k);
    __syncthreads();
#pragma unroll
    for (int at = 0; at < depth; ++at) {
      float b[thread_columns];
#pragma unroll
      for (int j = 0; j < thread_columns; ++j) {
        b[j] = right[at * (float_gemm_columns + 4) + column + j * column_threads];
      }
#pragma unroll
      for (int i = 0; i < thread_rows; ++i) {
        const float x = left[at * (float_gemm_rows + 4) + row + i];
#pragma unroll
        for (int j = 0; j < thread_columns; ++j) sums[i][j] = fmaf(x, b[j], sums[i][j]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
#pragma unroll
    for (int j = 0; j < thread_columns; ++j) {
      const int r = first_row + row + i, c = first_column + column + j * column_threads;
      if (r < a.m && c < a.n) a.result[r * a.result_stride + c] = sums[i][j] + (a.bias ? a.bias[c] : 0);
    }
  }
}

}  // namespace palestra::cuda
