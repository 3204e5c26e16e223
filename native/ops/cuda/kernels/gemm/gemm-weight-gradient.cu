// Computes dw (m, n) += dy (k, m)^T x (k, n). Both factors are transposed. The sum goes over the rows, in one chain
// from dw's value.
#include "gemm-tile.h"

namespace palestra::cuda {

using namespace palestra::simt;

#define PALESTRA_GEMM(size)                                                                 \
  PALESTRA_KERNEL(gemm_weight_gradient_##size##_bf16, GemmArguments, Tile##size::threads) { \
    gemm_tile<Tile##size, true, true>(a);                                                   \
  }

PALESTRA_GEMM(64x64)
PALESTRA_GEMM(64x128)
PALESTRA_GEMM(128x128)
PALESTRA_GEMM(128x256)
PALESTRA_GEMM(192x192)

PALESTRA_KERNEL(gemm_weight_gradient_unaligned_bf16, GemmArguments, TileUnaligned::threads) {
  gemm_tile<TileUnaligned, true, true, false>(a);
}

}  // namespace palestra::cuda
