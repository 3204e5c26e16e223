// Computes y (m, n) = x (m, k) w^T, with w (n, k). No factor is transposed.
#include "gemm-tile.h"

namespace palestra::cuda {

using namespace palestra::simt;

#define PALESTRA_GEMM(size)                                                        \
  PALESTRA_KERNEL(gemm_linear_##size##_bf16, GemmArguments, Tile##size::threads) { \
    gemm_tile<Tile##size, false, false>(a);                                        \
  }

PALESTRA_GEMM(16x32)
PALESTRA_GEMM(32x32)
PALESTRA_GEMM(64x32)
PALESTRA_GEMM(64x64)
PALESTRA_GEMM(64x128)
PALESTRA_GEMM(128x128)
PALESTRA_GEMM(128x256)
PALESTRA_GEMM(192x192)

PALESTRA_KERNEL(gemm_linear_unaligned_bf16, GemmArguments, TileUnaligned::threads) {
  gemm_tile<TileUnaligned, false, false, false>(a);
}

PALESTRA_KERNEL(gemm_fold_bf16, GemmFold, gemm_fold_threads) {
  const int64_t size = static_cast<int64_t>(a.m) * a.n;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * gemm_fold_threads + threadIdx.x;
  if (i >= size) return;
  float sum = a.sums[i];
  for (int slice = 1; slice < a.slices; ++slice) sum += a.sums[slice * size + i];
  const int row = static_cast<int>(i / a.n), column = static_cast<int>(i % a.n);
  if (a.bias) sum += to_float(a.bias[column]);
  gemm_store(a.result, row * a.result.stride + column, sum);
}

}  // namespace palestra::cuda
