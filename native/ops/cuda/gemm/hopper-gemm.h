#pragma once
#include <utility>

#include "../launch/launcher.h"
#include "gemm-plan.h"
#include "tensor-map-encoder.h"

namespace palestra::cuda {

/** Products with the kernels of kernels/gemm/gemm-hopper.cu. */
class HopperGemm {
 public:
  HopperGemm(Launcher& launcher, TensorMapEncoder encode) : launcher_(launcher), encode_(std::move(encode)) {}

  /**
   * @param plan plan of `plan_hopper_gemm` for that layout
   * @param blocks number of blocks that share the tiles
   * @param trouble as in `HopperGemmArguments`, or null
   */
  void run(GemmLayout layout, const GemmPlan& plan, const GemmArguments& product, int blocks, int* trouble);

 private:
  void encode(TensorMap& map, const bf16* data, int64_t stride, bool turned, int rows, int k, int tile_rows);

  Launcher& launcher_;
  TensorMapEncoder encode_;
};

}  // namespace palestra::cuda
