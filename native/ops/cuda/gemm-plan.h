#pragma once
#include <cstddef>
#include <vector>

namespace palestra::cuda {

enum class GemmLayout { linear, input_gradient, weight_gradient };

/** c (m, n) over k. */
struct GemmProblem {
  GemmLayout layout;
  int m;
  int n;
  int k;
  /** Whether rows of the factors begin at multiples of 16 bytes. */
  bool aligned;
};

/** What a plan is made for: the model of a multiprocessor is Hopper's. */
struct GemmMachine {
  int multiprocessors;
  /** That a block may have. */
  int shared_bytes;
  /** Of the workspace for sums of slices. */
  size_t workspace_bytes;
};

/** Which kernel does a product, and how. Whatever is chosen, the bits are the same. */
struct GemmPlan {
  /** "gemm_linear_128x256_bf16" */
  const char* kernel;
  int tile_rows;
  int tile_columns;
  int tiles;
  int threads;
  size_t shared_bytes;
  /** In steps of `gemm_depth`. */
  int slice_steps;
  /** Done side by side and added up afterwards by gemm_fold; 1: blocks do all of k, slice after slice. */
  int slices_at_once;
  /** What it should take: of use beside another's. */
  double cycles;
};

/** By mma.sync, in the shortest time. */
GemmPlan plan_gemm(const GemmProblem& problem, const GemmMachine& machine);

/** By wgmma, of aligned rows: `tiles` is then for blocks to share out. */
GemmPlan plan_hopper_gemm(const GemmProblem& problem, const GemmMachine& machine);
/** With each of its kernels that can, for a trial. */
std::vector<GemmPlan> every_hopper_plan(const GemmProblem& problem, const GemmMachine& machine);

}  // namespace palestra::cuda
