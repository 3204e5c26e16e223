// Computes dx (m, n) = dy (m, k) w, with w (k, n). The right factor is transposed.
#include "gemm-tile.h"

namespace palestra::cuda {

using namespace palestra::simt;

#define PALESTRA_GEMM(size)                                                                \
  PALESTRA_KERNEL(gemm_input_gradient_##size##_bf16, GemmArguments, Tile##size::threads) { \
    gemm_tile<Tile##size, false, true>(a);                                                 \
  }

PALESTRA_GEMM(64x64)
PALESTRA_GEMM(64x128)
PALESTRA_GEMM(128x128)
PALESTRA_GEMM(128x256)
PALESTRA_GEMM(192x192)

PALESTRA_KERNEL(gemm_input_gradient_unaligned_bf16, GemmArguments, TileUnaligned::threads) {
  gemm_tile<TileUnaligned, false, true, false>(a);
}

}  // namespace palestra::cuda
