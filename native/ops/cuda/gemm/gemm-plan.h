#pragma once
#include <cstddef>
#include <vector>

namespace palestra::cuda {

enum class GemmLayout { linear, input_gradient, weight_gradient };

/** The product c (m, n) over k. */
struct GemmProblem {
  GemmLayout layout;
  int m;
  int n;
  int k;
  /** Whether rows of the factors begin at multiples of 16 bytes. */
  bool aligned;
};

/** Properties of the device for the cost model. The model assumes Hopper's multiprocessor. */
struct GemmMachine {
  int multiprocessors;
  /** Limit on the shared memory of a block in bytes. */
  int shared_bytes;
  /** Size of the workspace for sums of slices in bytes. */
  size_t workspace_bytes;
};

/** Kernel and parameters of a product. Every choice gives the same bits. */
struct GemmPlan {
  /** Name of the kernel, such as "gemm_linear_128x256_bf16". */
  const char* kernel;
  int tile_rows;
  int tile_columns;
  int tiles;
  int threads;
  size_t shared_bytes;
  /** Length of a slice, in steps of `gemm_depth`. */
  int slice_steps;
  /**
   * Number of slices that run side by side and are added afterwards by gemm_fold. 1: each block computes all of k,
   * slice after slice.
   */
  int slices_at_once;
  /** Estimated time, for comparison with other plans. */
  double cycles;
};

/** Returns the fastest plan with mma.sync. */
GemmPlan plan_gemm(const GemmProblem& problem, const GemmMachine& machine);

/** Returns a plan with wgmma, for aligned rows. The blocks share the `tiles`. */
GemmPlan plan_hopper_gemm(const GemmProblem& problem, const GemmMachine& machine);
/** Returns one plan for each suitable kernel, for a trial. */
std::vector<GemmPlan> every_hopper_plan(const GemmProblem& problem, const GemmMachine& machine);

}  // namespace palestra::cuda
