#include "gemm.h"

#include <algorithm>

#include "../../../core/failure.h"
#include "../driver/environment.h"
#include "../kernels/gemm/gemm.h"
#include "../launch/alignment.h"
#include "gemm-plan.h"
#include "hopper-trial.h"

namespace palestra::cuda {
namespace {

/** Memory for sums of slices: for example 256 decoded rows of 5461 columns with three slices each. */
constexpr size_t workspace_bytes = size_t{16} << 20;

/** Minimum width of a weight whose gradients wgmma may compute when its bits differ from those of mma.sync. */
constexpr int least_hopper_width = 128;

template <class T>
GemmMatrix matrix(Rows<T> rows) {
  return {rows.data, rows.stride, sizeof(T) == sizeof(float)};
}

}  // namespace

template <>
struct Gemm<bf16>::State {
  Launcher& launcher;
  GemmMachine machine;
  Buffer<float> sums;
  std::unique_ptr<HopperGemm> hopper;
  /** Whether `hopper` gives the bits of mma.sync. */
  bool hopper_anywhere = false;
  std::string path = "own mma.sync";

  /** Completes the arguments and launches. */
  void run(GemmLayout layout, GemmArguments arguments);

 private:
  bool run_hopper(const GemmProblem& problem, const GemmPlan& other, const GemmArguments& arguments);
  void run_slices(const GemmPlan& plan, GemmArguments arguments);
};

template <>
Gemm<bf16>::Gemm(Launcher& launcher, Memory& memory, int shared_bytes)
    : state_(new State{launcher,
                       {launcher.multiprocessors(), shared_bytes, workspace_bytes},
                       Buffer<float>(memory, workspace_bytes / sizeof(float), "workspace of matrix products"),
                       nullptr}) {}

template <>
Gemm<bf16>::~Gemm() = default;

void Gemm<bf16>::State::run(GemmLayout layout, GemmArguments arguments) {
  GemmArguments& a = arguments;
  if (a.m == 0 || a.n == 0) return;
  const bool aligned = are_rows_aligned(a.left, a.left_stride * 2) && are_rows_aligned(a.right, a.right_stride * 2);
  const GemmProblem problem = {layout, a.m, a.n, a.k, aligned};
  const GemmPlan plan = plan_gemm(problem, machine);
  a.slice_steps = plan.slice_steps;
  a.result_aligned = are_rows_aligned(a.result.data, a.result.stride * (a.result.is_float ? 4 : 2));
  if (hopper && run_hopper(problem, plan, a)) return;
  if (plan.slices_at_once > 1) return run_slices(plan, a);
  launcher.launch(plan.kernel, {static_cast<unsigned>(plan.tiles)}, plan.threads, plan.shared_bytes, a);
}

bool Gemm<bf16>::State::run_hopper(const GemmProblem& problem, const GemmPlan& other, const GemmArguments& a) {
  if (!problem.aligned || problem.k == 0) return false;
  const GemmPlan plan = plan_hopper_gemm(problem, machine);
  if (hopper_anywhere) {
    if (plan.cycles > other.cycles) return false;
  } else {
    // The choice depends on the weight alone (out, in), not on the rows.
    const int out = problem.layout == GemmLayout::weight_gradient ? problem.m : problem.k;
    if (problem.layout == GemmLayout::linear || std::min(out, problem.n) < least_hopper_width) return false;
  }
  hopper->run(problem.layout, plan, a, machine.multiprocessors, nullptr);
  return true;
}

void Gemm<bf16>::State::run_slices(const GemmPlan& plan, GemmArguments a) {
  const GemmFold fold = {sums.data(), plan.slices_at_once, a.bias, a.result, a.m, a.n};
  a.result = {sums.data(), a.n, true};
  a.slice_stride = static_cast<int64_t>(a.m) * a.n;
  a.result_aligned = a.n % 4 == 0;
  a.bias = nullptr;
  launcher.launch(plan.kernel, {static_cast<unsigned>(plan.tiles), 1, static_cast<unsigned>(plan.slices_at_once)},
                  plan.threads, plan.shared_bytes, a);
  const auto blocks = static_cast<unsigned>((a.slice_stride + gemm_fold_threads - 1) / gemm_fold_threads);
  launcher.launch("gemm_fold_bf16", {blocks}, gemm_fold_threads, 0, fold);
}

template <>
void Gemm<bf16>::linear(Rows<bf16> y, Rows<const bf16> x, const Weight& w, const bf16* bias, int rows, Into into) {
  GemmArguments a = {};
  a.left = x.data, a.left_stride = x.stride;
  a.right = static_cast<const bf16*>(w.data), a.right_stride = w.in;
  a.result = matrix(y);
  if (into == Into::add) a.start = a.result;
  a.bias = bias;
  a.m = rows, a.n = w.out, a.k = w.in;
  state_->run(GemmLayout::linear, a);
}

template <>
void Gemm<bf16>::logits(Rows<float> y, Rows<const bf16> x, const Weight& w, int rows) {
  GemmArguments a = {};
  a.left = x.data, a.left_stride = x.stride;
  a.right = static_cast<const bf16*>(w.data), a.right_stride = w.in;
  a.result = matrix(y);
  a.m = rows, a.n = w.out, a.k = w.in;
  state_->run(GemmLayout::linear, a);
}

template <>
void Gemm<bf16>::linear_input_gradient(Rows<bf16> dx, Rows<const bf16> dy, const Weight& w, int rows, Into into) {
  GemmArguments a = {};
  a.left = dy.data, a.left_stride = dy.stride;
  a.right = static_cast<const bf16*>(w.data), a.right_stride = w.in;
  a.result = matrix(dx);
  if (into == Into::add) a.start = a.result;
  a.m = rows, a.n = w.in, a.k = w.out;
  state_->run(GemmLayout::input_gradient, a);
}

template <>
void Gemm<bf16>::linear_weight_gradient(float* dw, Rows<const bf16> dy, Rows<const bf16> x, int out, int in, int rows) {
  GemmArguments a = {};
  a.left = dy.data, a.left_stride = dy.stride;
  a.right = x.data, a.right_stride = x.stride;
  a.result = a.start = {dw, in, true};
  a.m = out, a.n = in, a.k = rows;
  state_->run(GemmLayout::weight_gradient, a);
}

template <>
void Gemm<bf16>::use_wgmma(Stream& stream, TensorMapEncoder encode) {
  if (is_off("ENGINE_WGMMA")) return;
  State& state = *state_;
  auto hopper = std::make_unique<HopperGemm>(state.launcher, std::move(encode));
  HopperTrial trial;
  try {
    trial = try_hopper_gemm(*hopper, state.launcher, stream, state.machine);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), std::string("trial of wgmma: ") + failure.what() +
                                      "; with ENGINE_WGMMA=0 in its environment the engine does without");
  }
  if (trial.result == HopperTrial::Result::wrong) {
    state.path = "own mma.sync (wgmma is off: " + trial.what + ")";
    return;
  }
  state.hopper = std::move(hopper);
  state.hopper_anywhere = trial.result == HopperTrial::Result::same_bits;
  state.path = state.hopper_anywhere ? "own wgmma" : "own mma.sync, wgmma for gradients";
}

template <>
std::string Gemm<bf16>::path() const {
  return state_->path;
}

}  // namespace palestra::cuda
