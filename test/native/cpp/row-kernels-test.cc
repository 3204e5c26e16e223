// The float kernels of every instruction set against the same operations in double, at sizes that fill no vector.
#include "device.h"

namespace palestra::test {
namespace {

class RowKernelsOf : public ::testing::TestWithParam<InstructionSet> {
 protected:
  Device<float> device_{1, GetParam()};
  Device<double> exact_{1, InstructionSet::scalar};
  Ops<float>& ops_ = *device_.ops;
  Ops<double>& proof_ = *exact_.ops;
};

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

const std::vector<int> odd_sizes = {1, 2, 7, 15, 16, 17, 31, 33, 63, 65, 127, 129, 1000, 1023};

TEST_P(RowKernelsOf, NormAgrees) {
  for (int width : odd_sizes) {
    const int rows = 3;
    const auto x = random_values<float>(rows * width, width), w = random_values<float>(width, width + 1);
    const auto dy = random_values<float>(rows * width, width + 2);
    const auto wide_x = widened(x), wide_w = widened(w), wide_dy = widened(dy);
    std::vector<float> y(rows * width), rstd(rows), dx(rows * width), dw(width);
    std::vector<double> y2(rows * width), rstd2(rows), dx2(rows * width), dw2(width);
    ops_.rms_norm({y.data(), width}, rstd.data(), {x.data(), width}, w.data(), width, rows, 1e-5f);
    proof_.rms_norm({y2.data(), width}, rstd2.data(), {wide_x.data(), width}, wide_w.data(), width, rows, 1e-5f);
    EXPECT_LT(relative_error(y, y2), 3e-7) << width;
    ops_.rms_norm_gradient({dx.data(), width}, dw.data(), {dy.data(), width}, {x.data(), width}, w.data(), rstd.data(),
                           width, rows, Into::assign);
    proof_.rms_norm_gradient({dx2.data(), width}, dw2.data(), {wide_dy.data(), width}, {wide_x.data(), width},
                             wide_w.data(), rstd2.data(), width, rows, Into::assign);
    // At width 1 the norm cancels the gradient, except epsilon's part.
    if (width > 1) {
      EXPECT_LT(relative_error(dx, dx2), 2e-6) << width;
    }
    EXPECT_LT(relative_error(dw, dw2), 1e-6) << width;
  }
}

TEST_P(RowKernelsOf, SwiGluAgrees) {
  for (int width : odd_sizes) {
    const int rows = 3;
    const auto gate_up = random_values<float>(rows * 2 * width, width, 8), dy = random_values<float>(rows * width, 1);
    const auto wide_gate_up = widened(gate_up), wide_dy = widened(dy);
    std::vector<float> y(rows * width), gradient(rows * 2 * width);
    std::vector<double> y2(rows * width), gradient2(rows * 2 * width);
    ops_.swiglu(y.data(), gate_up.data(), width, rows);
    proof_.swiglu(y2.data(), wide_gate_up.data(), width, rows);
    EXPECT_LT(relative_error(y, y2), 3e-7) << width;
    const auto y_before = y;
    ops_.swiglu_gradient(gradient.data(), y.data(), dy.data(), gate_up.data(), width, rows);
    proof_.swiglu_gradient(gradient2.data(), y2.data(), wide_dy.data(), wide_gate_up.data(), width, rows);
    EXPECT_LT(relative_error(gradient, gradient2), 1e-6) << width;
    EXPECT_EQ(y, y_before) << width;
  }
}

TEST_P(RowKernelsOf, SigmoidStaysFiniteForLargeInputs) {
  const std::vector<float> gate_up = {-1000, -100, -88, 88, 100, 1000, 1, 1, 1, 1, 1, 1};
  std::vector<float> y(6);
  ops_.swiglu(y.data(), gate_up.data(), 6, 1);
  EXPECT_EQ(y[0], 0);
  EXPECT_LT(std::fabs(y[2]), 1e-30f);
  EXPECT_EQ(y[3], 88);
  EXPECT_EQ(y[5], 1000);
}

/** Tests exp itself: the statistics of two logits 0 and x hold log(1 + exp(x)), and the gradient the probabilities. */
TEST_P(RowKernelsOf, ExponentialIsWithinTwoUlp) {
  const int n = 1 << 14;
  std::vector<float> logits(2 * n), log_sum(n, 0.0f), logprob(n), minus_one(n, -1.0f);
  std::vector<int32_t> targets(n, 0);
  for (int i = 0; i < n; ++i) logits[2 * i + 1] = -86.0f * static_cast<float>(i) / n;
  const std::vector<float> x = logits;
  // With a log-sum of 0 the "probability" is exp of the logit.
  ops_.logits_gradient(logits.data(), {log_sum.data(), logprob.data(), nullptr}, minus_one.data(), nullptr,
                       targets.data(), 2, n, 1.0f);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double exact = std::exp(static_cast<double>(x[2 * i + 1]));
    worst = std::max(worst, std::fabs(logits[2 * i + 1] / exact - 1));
  }
  EXPECT_LT(worst, 2 * 1.2e-7);
}

TEST_P(RowKernelsOf, TokenStatisticsAgree) {
  for (int vocabulary : {1, 2, 17, 1000, 1024, 1025, 49153}) {
    const int rows = 2;
    const auto logits = random_values<float>(rows * vocabulary, vocabulary, 3);
    const auto wide = widened(logits);
    const std::vector<int32_t> targets = {0, vocabulary - 1};
    std::vector<float> log_sum(rows), logprob(rows), entropy(rows), by_logprob = {0.3f, -2}, by_entropy = {-0.1f, 1};
    std::vector<double> log_sum2(rows), logprob2(rows), entropy2(rows);
    const auto by_logprob2 = widened(by_logprob), by_entropy2 = widened(by_entropy);
    const float temperature = 0.8f;
    const TokenStatistics<float> out{log_sum.data(), logprob.data(), entropy.data()};
    const TokenStatistics<double> out2{log_sum2.data(), logprob2.data(), entropy2.data()};
    ops_.token_statistics(out, logits.data(), targets.data(), vocabulary, rows, temperature);
    proof_.token_statistics(out2, wide.data(), targets.data(), vocabulary, rows, temperature);
    for (int i = 0; i < rows; ++i) {
      EXPECT_NEAR(logprob[i], logprob2[i], 3e-6) << vocabulary;
      EXPECT_NEAR(entropy[i], entropy2[i], 3e-6) << vocabulary;
      EXPECT_NEAR(log_sum[i], log_sum2[i], 3e-6) << vocabulary;
    }
    auto gradient = logits;
    auto gradient2 = wide;
    ops_.logits_gradient(gradient.data(), out, by_logprob.data(), by_entropy.data(), targets.data(), vocabulary, rows,
                         temperature);
    proof_.logits_gradient(gradient2.data(), out2, by_logprob2.data(), by_entropy2.data(), targets.data(), vocabulary,
                           rows, temperature);
    if (vocabulary > 1) {
      EXPECT_LT(relative_error(gradient, gradient2), 3e-6) << vocabulary;
    }
  }
}

TEST_P(RowKernelsOf, NanIsPreserved) {
  std::vector<float> logits(50, 0.0f), log_sum(1), logprob(1);
  logits[33] = NAN;
  const int32_t target = 0;
  ops_.token_statistics({log_sum.data(), logprob.data(), nullptr}, logits.data(), &target, 50, 1, 1.0f);
  EXPECT_TRUE(std::isnan(logprob[0]));
}

TEST_P(RowKernelsOf, ARowDoesNotDependOnItsNeighbours) {
  const int rows = 9, width = 1003;
  const auto gate_up = random_values<float>(rows * 2 * width, 1);
  std::vector<float> together(rows * width), alone(width);
  ops_.swiglu(together.data(), gate_up.data(), width, rows);
  ops_.swiglu(alone.data(), gate_up.data() + 4 * 2 * width, width, 1);
  EXPECT_EQ(std::vector<float>(together.begin() + 4 * width, together.begin() + 5 * width), alone);

  const auto x = random_values<float>(rows * width, 2), w = random_values<float>(width, 3);
  ops_.rms_norm({together.data(), width}, nullptr, {x.data(), width}, w.data(), width, rows, 1e-5f);
  ops_.rms_norm({alone.data(), width}, nullptr, {x.data() + 4 * width, width}, w.data(), width, 1, 1e-5f);
  EXPECT_EQ(std::vector<float>(together.begin() + 4 * width, together.begin() + 5 * width), alone);
}

TEST_P(RowKernelsOf, SumsOverRowsInSeveralCallsHaveTheBitsOfOneCall) {
  const int rows = 9, first = 4, width = 1003;
  const auto dy = random_values<float>(rows * width, 1), x = random_values<float>(rows * width, 2);
  const auto rstd = random_values<float>(rows, 3), w = random_values<float>(width, 4);
  std::vector<float> at_once(width, 0.5f), in_two(width, 0.5f), dx(rows * width);
  ops_.bias_gradient(at_once.data(), {dy.data(), width}, width, rows);
  ops_.bias_gradient(in_two.data(), {dy.data(), width}, width, first);
  ops_.bias_gradient(in_two.data(), {dy.data() + first * width, width}, width, rows - first);
  EXPECT_EQ(at_once, in_two);
  const auto norm_gradient = [&](std::vector<float>& dw, int begin, int count) {
    const int at = begin * width;
    ops_.rms_norm_gradient({dx.data(), width}, dw.data(), {dy.data() + at, width}, {x.data() + at, width}, w.data(),
                           rstd.data() + begin, width, count, Into::assign);
  };
  norm_gradient(at_once, 0, rows);
  norm_gradient(in_two, 0, first);
  norm_gradient(in_two, first, rows - first);
  EXPECT_EQ(at_once, in_two);
}

TEST_P(RowKernelsOf, SquaredNormEqualsThatInDouble) {
  const auto values = random_values<float>(150001, 1);
  EXPECT_NEAR(ops_.squared_norm(values.data(), values.size()) / inner_product(values, values), 1, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Machine, RowKernelsOf, ::testing::ValuesIn(instruction_sets()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace palestra::test
