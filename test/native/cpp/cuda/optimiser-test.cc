// AdamW and sums of squares against their formulas in double, at lengths and addresses that are not multiples of 16
// bytes.
#include "ops/cuda/rows/optimiser.h"

#include "emulator/emulated-launcher.h"
#include "host-stream.h"
#include "values.h"

namespace palestra::test {
namespace {

class OptimiserKernels : public ::testing::TestWithParam<bool> {
 protected:
  cuda::EmulatedLauncher launcher_{GetParam()};
};

template <class T>
void expect_adamw(cuda::Launcher& launcher, size_t n, size_t before, const AdamW& rule) {
  const size_t size = n + before;
  auto w = random_values<float>(size, 1), m = random_values<float>(size, 3, 0.1), v = random_values<float>(size, 4);
  for (float& each : v) each *= each;
  const auto g = random_values<float>(size, 2);
  std::vector<T> rounded_w(size, T{});
  std::vector<double> exact_w(w.begin(), w.end()), exact_m(m.begin(), m.end()), exact_v(v.begin(), v.end());
  for (size_t i = before; i < size; ++i) {
    const double scaled = double{g[i]} * rule.gradient_scale;
    exact_m[i] = rule.beta1 * exact_m[i] + (1 - double{rule.beta1}) * scaled;
    exact_v[i] = rule.beta2 * exact_v[i] + (1 - double{rule.beta2}) * scaled * scaled;
    const double m_hat = exact_m[i] / (1 - std::pow(double{rule.beta1}, rule.step));
    const double v_hat = exact_v[i] / (1 - std::pow(double{rule.beta2}, rule.step));
    exact_w[i] -= rule.lr * (m_hat / (std::sqrt(v_hat) + rule.epsilon) + rule.weight_decay * exact_w[i]);
  }
  cuda::adamw(launcher, w.data() + before, rounded_w.data() + before, g.data() + before, m.data() + before,
              v.data() + before, n, rule);
  EXPECT_LT(relative_error(w, exact_w), 1e-6);
  EXPECT_LT(relative_error(m, exact_m), 1e-6);
  EXPECT_LT(relative_error(v, exact_v), 1e-6);
  for (size_t i = before; i < size; ++i) ASSERT_EQ(widened(rounded_w[i]), widened(rounded_to<T>(w[i])));
}

TEST_P(OptimiserKernels, AdamWEqualsItsFormula) {
  for (size_t n : {1u, 7u, 2048u, 3001u}) {
    for (size_t before : {0u, 3u}) {
      expect_adamw<bf16>(launcher_, n, before, {1e-2f, 0.9f, 0.999f, 1e-8f, 0.1f, 1, 1});
      expect_adamw<float>(launcher_, n, before, {1e-3f, 0.8f, 0.95f, 1e-6f, 0, 1000, 0.25f});
    }
  }
}

TEST_P(OptimiserKernels, RoundedWeightsMayBeLeftOut) {
  std::vector<float> w(9, 1), g(9, 1), m(9, 0), v(9, 0);
  cuda::adamw<float>(launcher_, w.data(), nullptr, g.data(), m.data(), v.data(), 9, {0.5f, 0.9f, 0.999f, 0, 0, 1, 1});
  for (float each : w) EXPECT_NEAR(each, 0.5, 1e-5);  // The length of the first step is lr for any gradient.
}

TEST_P(OptimiserKernels, SumsOfSquaresGoByBlocks) {
  HostStream stream;
  cuda::SquaredNorms norms(stream.memory());
  constexpr size_t block = 65536;
  const auto values = random_values<float>(2 * block + 1235, 1);
  const auto norm = [&](size_t first, size_t n) { return norms.of(stream, launcher_, values.data() + first, n); };
  for (size_t n : {size_t{1}, size_t{5}, size_t{4099}, values.size()}) {
    double exact = 0;
    for (size_t i = 0; i < n; ++i) exact += double{values[i]} * values[i];
    EXPECT_NEAR(norm(0, n), exact, 1e-12 * exact);
  }
  EXPECT_EQ(norm(0, values.size()), norm(0, block) + norm(block, block) + norm(2 * block, 1235));
  EXPECT_EQ(norm(0, 0), 0);
}

TEST_P(OptimiserKernels, SumsOfSquaresMayExceedFloat) {
  HostStream stream;
  cuda::SquaredNorms norms(stream.memory());
  const std::vector<float> large(100, 1e30f);
  EXPECT_NEAR(norms.of(stream, launcher_, large.data(), 100) / 1e62, 1, 1e-6);
}

TEST_P(OptimiserKernels, SumsDoNotDependOnTheirAddress) {
  HostStream stream;
  cuda::SquaredNorms norms(stream.memory());
  const auto values = random_values<float>(70001, 1);
  std::vector<float> shifted(values.size() + 1);
  std::copy(values.begin(), values.end(), shifted.begin() + 1);
  EXPECT_EQ(norms.of(stream, launcher_, values.data(), values.size()),
            norms.of(stream, launcher_, shifted.data() + 1, values.size()));
}

INSTANTIATE_TEST_SUITE_P(Orders, OptimiserKernels, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

}  // namespace
}  // namespace palestra::test
