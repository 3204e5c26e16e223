#pragma once
/** The same products by wgmma and TMA, which sm_90a alone has. */
#include "gemm.h"

namespace palestra::cuda {

/** What TMA reads of a matrix (CUtensorMap), as the driver fills it in. */
struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

struct HopperGemmArguments {
  /** Boxes of 64 of k by the tile's rows of the factor; of a turned one, of 64 rows by 64 of k. */
  TensorMap left;
  TensorMap right;
  /** Without regard to where its factors lie: the maps have that. */
  GemmArguments product;
  /** Null, or set to 1 where a barrier stays closed for a second: then the kernel ends without a result. */
  int* trouble;
};

/** Warpgroups that multiply 64 rows each by all columns, and one that brings the factors in. */
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
  /** Two barriers a stage behind the stages. */
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
