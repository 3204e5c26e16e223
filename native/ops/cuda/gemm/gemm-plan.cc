#include "gemm-plan.h"

#include <algorithm>
#include <limits>

#include "../kernels/gemm/gemm-hopper.h"
#include "../kernels/gemm/gemm.h"

namespace palestra::cuda {
namespace {

constexpr int layouts = 3;

/** A tile with its kernel for each layout; null for a transposed factor that the tile does not support. */
struct Candidate {
  const char* kernels[layouts];
  int rows;
  int columns;
  int threads;
  int stage_bytes;
  int pipeline_bytes;
  int kept_bytes;
};

template <class Tile>
constexpr Candidate candidate(const char* linear, const char* input_gradient, const char* weight_gradient) {
  return {{linear, input_gradient, weight_gradient}, Tile::rows,           Tile::columns,   Tile::threads,
          Tile::stage_bytes,                         Tile::pipeline_bytes, Tile::kept_bytes};
}

/** More shared memory than any device has. */
constexpr int no_room = 1 << 30;

template <class Tile>
constexpr Candidate hopper_candidate(const char* linear, const char* input_gradient, const char* weight_gradient) {
  return {{linear, input_gradient, weight_gradient}, Tile::rows,         Tile::columns, Tile::threads,
          Tile::stage_bytes,                         Tile::shared_bytes, Tile::keeps ? 0 : no_room};
}

#define LINEAR(size) candidate<Tile##size>("gemm_linear_" #size "_bf16", nullptr, nullptr)
#define EVERY_LAYOUT(size)                                                                  \
  candidate<Tile##size>("gemm_linear_" #size "_bf16", "gemm_input_gradient_" #size "_bf16", \
                        "gemm_weight_gradient_" #size "_bf16")
constexpr Candidate candidates[] = {
    LINEAR(16x32),        LINEAR(32x32),         LINEAR(64x32),         EVERY_LAYOUT(64x64),
    EVERY_LAYOUT(64x128), EVERY_LAYOUT(128x128), EVERY_LAYOUT(128x256), EVERY_LAYOUT(192x192),
};
#undef LINEAR
#undef EVERY_LAYOUT

#define HOPPER(size)                                                                                             \
  hopper_candidate<HopperTile##size>("gemm_hopper_linear_" #size "_bf16", "gemm_hopper_input_gradient_" #size "_bf16", \
                                     "gemm_hopper_weight_gradient_" #size "_bf16")
constexpr Candidate hopper_candidates[] = {HOPPER(128x128), HOPPER(128x256), HOPPER(192x192)};
#undef HOPPER

constexpr Candidate unaligned = candidate<TileUnaligned>(
    "gemm_linear_unaligned_bf16", "gemm_input_gradient_unaligned_bf16", "gemm_weight_gradient_unaligned_bf16");

// Cost model of a multiprocessor, in cycles. All values are estimates for Hopper, and only their ratios matter.

/** bf16 multiply-adds per cycle, of 2048 possible. mma.sync cannot use more of Hopper's tensor cores. */
constexpr double multiply_adds_a_cycle = 1250;
constexpr double hopper_multiply_adds_a_cycle = 1800;
/** Bytes per cycle from L2 when all multiprocessors read at once. The limit for a single multiprocessor follows. */
constexpr double shared_bytes_a_cycle = 32;
constexpr double own_bytes_a_cycle = 64;
/** Latency of a step that has the multiprocessor to itself: four dependent mma.sync and a barrier. */
constexpr double step_latency = 200;
/** Latency of a block: the time until its first bytes arrive and its last bytes leave. */
constexpr double block_latency = 1500;
/** Latency of the kernel that adds slices. */
constexpr double fold_latency = 2500;
/** Shared memory that the system reserves per block. */
constexpr int reserved_bytes = 1024;

int tiles_of(const Candidate& c, const GemmProblem& p) { return gemm_parts(p.m, c.rows) * gemm_parts(p.n, c.columns); }

/** @param rate multiply-adds per cycle */
double cycles(const Candidate& c, const GemmProblem& p, const GemmMachine& machine, const GemmPlan& plan, double rate) {
  const int blocks = plan.tiles * plan.slices_at_once;
  const int residents = std::max<int>(
      1, (machine.shared_bytes + reserved_bytes) / (static_cast<int>(plan.shared_bytes) + reserved_bytes));
  const int most = gemm_parts(blocks, machine.multiprocessors);
  const int waves = gemm_parts(blocks, machine.multiprocessors * residents);
  const double compute = static_cast<double>(c.rows) * c.columns * gemm_depth / rate;
  const double busiest = most * std::max(compute, c.stage_bytes / own_bytes_a_cycle);
  const double traffic = static_cast<double>(blocks) * c.stage_bytes / machine.multiprocessors / shared_bytes_a_cycle;
  const int steps = std::min(gemm_parts(p.k, gemm_depth), plan.slices_at_once > 1 ? plan.slice_steps : p.k);
  return steps * std::max({busiest, traffic, waves * step_latency}) + waves * block_latency +
         (plan.slices_at_once > 1 ? fold_latency : 0);
}

/** The best of several candidates. Each candidate runs its slices one after the other or side by side. */
class Choice {
 public:
  /** @param side_by_side whether slices may run side by side */
  Choice(const GemmProblem& problem, const GemmMachine& machine, double rate, bool side_by_side)
      : problem_(problem), machine_(machine), rate_(rate), side_by_side_(side_by_side) {
    const bool sliced = problem.layout == GemmLayout::linear;
    slices_ = sliced ? slice_count(problem.k) : 1;
    slice_steps_ = sliced ? slice_length(problem.k) / gemm_depth : std::max(1, gemm_parts(problem.k, gemm_depth));
    best_.cycles = std::numeric_limits<double>::infinity();
  }

  void consider(const Candidate& c) {
    if (!c.kernels[static_cast<int>(problem_.layout)]) return;
    consider(c, 1);
    if (side_by_side_ && slices_ > 1 &&
        sizeof(float) * slices_ * problem_.m * problem_.n <= machine_.workspace_bytes) {
      consider(c, slices_);
    }
  }
  const GemmPlan& best() const { return best_; }

 private:
  void consider(const Candidate& c, int slices_at_once) {
    const size_t shared = static_cast<size_t>(c.pipeline_bytes) + (slices_at_once < slices_ ? c.kept_bytes : 0);
    if (shared > static_cast<size_t>(machine_.shared_bytes)) return;
    const char* kernel = c.kernels[static_cast<int>(problem_.layout)];
    GemmPlan plan = {kernel, c.rows,       c.columns,      tiles_of(c, problem_), c.threads,
                     shared, slice_steps_, slices_at_once, 0};
    plan.cycles = cycles(c, problem_, machine_, plan, rate_);
    if (plan.cycles < best_.cycles) best_ = plan;
  }

  const GemmProblem& problem_;
  const GemmMachine& machine_;
  const double rate_;
  const bool side_by_side_;
  int slices_;
  int slice_steps_;
  GemmPlan best_ = {};
};

}  // namespace

GemmPlan plan_gemm(const GemmProblem& problem, const GemmMachine& machine) {
  Choice choice(problem, machine, multiply_adds_a_cycle, true);
  if (!problem.aligned) {
    choice.consider(unaligned);
  } else {
    for (const Candidate& c : candidates) choice.consider(c);
  }
  return choice.best();
}

GemmPlan plan_hopper_gemm(const GemmProblem& problem, const GemmMachine& machine) {
  Choice choice(problem, machine, hopper_multiply_adds_a_cycle, false);
  for (const Candidate& c : hopper_candidates) choice.consider(c);
  return choice.best();
}

std::vector<GemmPlan> every_hopper_plan(const GemmProblem& problem, const GemmMachine& machine) {
  std::vector<GemmPlan> plans;
  for (const Candidate& c : hopper_candidates) {
    Choice choice(problem, machine, hopper_multiply_adds_a_cycle, false);
    choice.consider(c);
    if (choice.best().kernel) plans.push_back(choice.best());
  }
  return plans;
}

}  // namespace palestra::cuda
