#include "hopper-gemm.h"

#include <algorithm>

namespace palestra::cuda {

void HopperGemm::encode(TensorMap& map, const bf16* data, int64_t stride, bool turned, int rows, int k, int tile_rows) {
  const auto width = static_cast<uint64_t>(turned ? rows : k), height = static_cast<uint64_t>(turned ? k : rows);
  const auto box_height = static_cast<uint32_t>(turned ? gemm_depth : tile_rows);
  encode_(map, {data, width, height, static_cast<uint64_t>(stride) * sizeof(bf16), gemm_depth, box_height});
}

void HopperGemm::run(GemmLayout layout, const GemmPlan& plan, const GemmArguments& product, int blocks, int* trouble) {
  HopperGemmArguments a = {};
  const bool left_turned = layout == GemmLayout::weight_gradient, right_turned = layout != GemmLayout::linear;
  encode(a.left, product.left, product.left_stride, left_turned, product.m, product.k, plan.tile_rows);
  encode(a.right, product.right, product.right_stride, right_turned, product.n, product.k, plan.tile_columns);
  a.product = product;
  a.trouble = trouble;
  const Grid grid = {static_cast<unsigned>(std::min(plan.tiles, blocks))};
  launcher_.launch(plan.kernel, grid, plan.threads, plan.shared_bytes, a);
}

}  // namespace palestra::cuda
