#pragma once
/** The products of gemm.h by wgmma and TMA, which only sm_90a has. */
#include "gemm.h"

namespace palestra::cuda {

/** TMA's description of a matrix (CUtensorMap), filled in by the driver. */
struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

struct HopperGemmArguments {
  /** Boxes of 64 of k by the tile's rows of the factor. For a transposed factor, boxes of 64 rows by 64 of k. */
  TensorMap left;
  TensorMap right;
  /** The product. The addresses of its factors are unused, since the maps have them. */
  GemmArguments product;
  /** Null, or set to 1 when a barrier stays closed for a second. In that case the kernel ends without a result. */
  int* trouble;
};

/**
 * A tile with several consumer warpgroups and one producer. Each consumer multiplies 64 rows by all columns. The
 * producer loads the factors.
 */
template <int consumers_, int columns_, int stages_, int producer_registers_, int consumer_registers_>
struct HopperTile {
  static constexpr int consumers = consumers_;
  static constexpr int rows = 64 * consumers;
  static constexpr int columns = columns_;
  static constexpr int stages = stages_;
  static constexpr int producer_registers = producer_registers_;
  static constexpr int consumer_registers = consumer_registers_;
  static constexpr int threads = 128 * (consumers + 1);
  static constexpr int stage_bytes = (rows + columns) * gemm_depth * 2;
  /** Two barriers per stage, behind the stages. */
  static constexpr int shared_bytes = stages * (stage_bytes + 16);
  /** Whether registers are left for the sums of earlier slices. */
  static constexpr bool keeps = columns <= 128;
  static_assert(consumers * 128 * consumer_registers + 128 * producer_registers <= 65536,
                "registers of a multiprocessor");
};

using HopperTile128x128 = HopperTile<2, 128, 6, 40, 232>;
using HopperTile128x256 = HopperTile<2, 256, 4, 40, 232>;
using HopperTile192x192 = HopperTile<3, 192, 4, 32, 160>;

}  // namespace palestra::cuda
