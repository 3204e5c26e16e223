#include "hopper-trial.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "../../../core/philox.h"

namespace palestra::cuda {
namespace {

/**
 * The problems have more tiles than blocks, and remainders that are multiples of 8, as TMA requires. The last problem
 * has two slices.
 */
const GemmProblem problems[] = {{GemmLayout::linear, 200, 392, 328, true},
                                {GemmLayout::input_gradient, 200, 392, 328, true},
                                {GemmLayout::weight_gradient, 200, 392, 328, true},
                                {GemmLayout::linear, 136, 264, 2056, true}};
constexpr int blocks = 3;
constexpr double tolerance = 1e-2;

/** One problem, and the matrices of the problem on the device. */
struct Bench {
  const GemmProblem& problem;
  Stream& stream;
  Buffer<bf16> left, right, bias;
  Buffer<float> result;
  Buffer<int> trouble;

  Bench(const GemmProblem& p, Stream& stream)
      : problem(p), stream(stream), left(stream.memory(), size_t(p.m) * p.k, "trial of wgmma"),
        right(stream.memory(), size_t(p.n) * p.k, "trial of wgmma"), bias(stream.memory(), p.n, "trial of wgmma"),
        result(stream.memory(), size_t(p.m) * p.n, "trial of wgmma"), trouble(stream.memory(), 1, "trial of wgmma") {
    fill(left, 1);
    fill(right, 2);
    fill(bias, 3);
  }

  void fill(const Buffer<bf16>& to, uint32_t seed) {
    std::vector<bf16> values(to.size());
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = to_bf16(2 * uniform(philox({static_cast<uint32_t>(i), 0, 0, 0}, {seed, 0})[0]) - 1);
    }
    stream.upload(to.data(), values.data(), to.bytes());
  }

  GemmArguments product() const {
    const GemmProblem& p = problem;
    GemmArguments a = {};
    a.left = left.data(), a.left_stride = p.layout == GemmLayout::weight_gradient ? p.m : p.k;
    a.right = right.data(), a.right_stride = p.layout == GemmLayout::linear ? p.k : p.n;
    a.result = {result.data(), p.n, true};
    if (p.layout == GemmLayout::weight_gradient) a.start = a.result;
    if (p.layout == GemmLayout::linear) a.bias = bias.data();
    a.m = p.m, a.n = p.n, a.k = p.k;
    a.result_aligned = true;
    return a;
  }

  /** Returns the result of `run`, whose destination starts as ones. */
  template <class Run>
  std::vector<float> result_of(const Run& run) {
    std::vector<float> values(result.size(), 1);
    stream.upload(result.data(), values.data(), result.bytes());
    run();
    stream.download(values.data(), result.data(), result.bytes());
    return values;
  }
};

/** Returns ||a - b|| / ||b||, or NaN when a has a value that is not a number. */
double relative_error(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    difference += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    size += double{b[i]} * b[i];
  }
  return std::sqrt(difference / size);
}

/** Tries one problem. */
HopperTrial try_problem(const GemmProblem& problem, HopperGemm& hopper, Launcher& launcher, Stream& stream,
                        const GemmMachine& machine) {
  Bench bench(problem, stream);
  GemmArguments product = bench.product();
  // If no workspace is given, slices run one after the other.
  const GemmPlan plan = plan_gemm(problem, {machine.multiprocessors, machine.shared_bytes, 0});
  product.slice_steps = plan.slice_steps;
  const std::vector<float> expected = bench.result_of([&] {
    launcher.launch(plan.kernel, {static_cast<unsigned>(plan.tiles)}, plan.threads, plan.shared_bytes, product);
  });
  HopperTrial trial = {HopperTrial::Result::same_bits, ""};
  for (const GemmPlan& tried : every_hopper_plan(problem, machine)) {
    int trouble = 0;
    stream.upload(bench.trouble.data(), &trouble, sizeof trouble);
    const std::vector<float> result =
        bench.result_of([&] { hopper.run(problem.layout, tried, product, blocks, bench.trouble.data()); });
    stream.download(&trouble, bench.trouble.data(), sizeof trouble);
    const std::string kernel = tried.kernel;
    if (trouble) return {HopperTrial::Result::wrong, kernel + " waited for ever"};
    const double error = relative_error(result, expected);
    if (!(error < tolerance)) return {HopperTrial::Result::wrong, kernel + " is off by " + std::to_string(error)};
    const bool same = std::memcmp(result.data(), expected.data(), sizeof(float) * result.size()) == 0;
    if (!same) trial.result = HopperTrial::Result::close;
  }
  return trial;
}

}  // namespace

HopperTrial try_hopper_gemm(HopperGemm& hopper, Launcher& launcher, Stream& stream, const GemmMachine& machine) {
  HopperTrial worst = {HopperTrial::Result::same_bits, ""};
  for (const GemmProblem& problem : problems) {
    const HopperTrial trial = try_problem(problem, hopper, launcher, stream, machine);
    if (trial.result < worst.result) worst = trial;
    if (worst.result == HopperTrial::Result::wrong) break;
  }
  return worst;
}

}  // namespace palestra::cuda
