// Statistics of logits and their gradient, against the formulas in double.
#include "ops/cuda/logits/head.h"

#include "emulator/emulated-launcher.h"
#include "values.h"

namespace palestra::test {
namespace {

template <class Case>
class HeadKernels : public ::testing::Test {
 protected:
  cuda::EmulatedLauncher launcher_{Case::reversed};
};
TYPED_TEST_SUITE(HeadKernels, Cases);

struct Exact {
  double log_sum, logprob, entropy;
  std::vector<double> log_p;
};

Exact exact_statistics(const float* logits, int vocabulary, int target, double temperature) {
  Exact exact{0, 0, 0, std::vector<double>(vocabulary)};
  double highest = logits[0], sum = 0;
  for (int i = 0; i < vocabulary; ++i) highest = std::max<double>(highest, logits[i]);
  for (int i = 0; i < vocabulary; ++i) sum += std::exp((logits[i] - highest) / temperature);
  exact.log_sum = highest / temperature + std::log(sum);
  for (int i = 0; i < vocabulary; ++i) {
    exact.log_p[i] = logits[i] / temperature - exact.log_sum;
    exact.entropy -= std::exp(exact.log_p[i]) * exact.log_p[i];
  }
  exact.logprob = exact.log_p[target];
  return exact;
}

struct Computed {
  explicit Computed(int rows) : log_sum(rows), logprob(rows), entropy(rows) {}
  TokenStatistics<float> with_entropy() { return {log_sum.data(), logprob.data(), entropy.data()}; }
  TokenStatistics<float> without() { return {log_sum.data(), logprob.data(), nullptr}; }
  std::vector<float> log_sum, logprob, entropy;
};

const std::vector<int> vocabularies = {1, 5, 32, 1003, 4104, 9001};

TYPED_TEST(HeadKernels, StatisticsEqualTheirFormulas) {
  for (int vocabulary : vocabularies) {
    for (float temperature : {1.0f, 0.3f, 5.0f}) {
      const int rows = 2;
      auto logits = random_values<float>(static_cast<size_t>(rows) * vocabulary, 1, 4);
      for (int i = 0; i < vocabulary; ++i) logits[i] += 100;
      const std::vector<int32_t> targets = {vocabulary / 2, vocabulary - 1};
      Computed computed(rows), without(rows);
      cuda::token_statistics(this->launcher_, computed.with_entropy(), logits.data(), targets.data(), vocabulary, rows,
                             temperature);
      cuda::token_statistics(this->launcher_, without.without(), logits.data(), targets.data(), vocabulary, rows,
                             temperature);
      EXPECT_TRUE(are_same(computed.log_sum, without.log_sum) && are_same(computed.logprob, without.logprob));
      for (int row = 0; row < rows; ++row) {
        const Exact exact =
            exact_statistics(logits.data() + row * vocabulary, vocabulary, targets[row], double{temperature});
        EXPECT_NEAR(computed.log_sum[row], exact.log_sum, 1e-6 * std::fabs(exact.log_sum) + 2e-6) << vocabulary;
        EXPECT_NEAR(computed.logprob[row], exact.logprob, 1e-6 * std::fabs(exact.logprob) + 2e-6) << vocabulary;
        EXPECT_NEAR(computed.entropy[row], exact.entropy, 1e-5) << vocabulary;
        Computed alone(1);
        cuda::token_statistics(this->launcher_, alone.with_entropy(), logits.data() + row * vocabulary, &targets[row],
                               vocabulary, 1, temperature);
        EXPECT_EQ(alone.log_sum[0], computed.log_sum[row]);
        EXPECT_EQ(alone.entropy[0], computed.entropy[row]);
      }
    }
  }
}

TYPED_TEST(HeadKernels, StatisticsOfNearCertainAndNonFiniteRowsAreRight) {
  std::vector<float> logits(4 * 64, -300);
  logits[7] = 300;             // nearly certain, also at a low temperature
  logits[64 + 3] = NAN;
  logits[128 + 9] = INFINITY;
  for (int i = 0; i < 64; ++i) logits[192 + i] = -87;  // equal
  const std::vector<int32_t> targets = {7, 0, 0, 5};
  for (float temperature : {1.0f, 1e-30f}) {
    Computed computed(4);
    cuda::token_statistics(this->launcher_, computed.with_entropy(), logits.data(), targets.data(), 64, 4, temperature);
    EXPECT_EQ(computed.logprob[0], 0);
    EXPECT_EQ(computed.entropy[0], 0);
    EXPECT_TRUE(std::isnan(computed.logprob[1]));
    EXPECT_TRUE(std::isnan(computed.logprob[2]));
    EXPECT_NEAR(computed.logprob[3], -std::log(64.0), 1e-6);
    EXPECT_NEAR(computed.entropy[3], std::log(64.0), 1e-6);
  }
}

TYPED_TEST(HeadKernels, GradientEqualsItsFormulaAndReplacesTheLogits) {
  using T = typename TypeParam::T;
  for (int vocabulary : vocabularies) {
    for (bool with_entropy : {false, true}) {
      const int rows = 3;
      const float temperature = 0.7f;
      auto logits = random_values<float>(static_cast<size_t>(rows) * vocabulary, 1, 2);
      const std::vector<int32_t> targets = {0, vocabulary / 2, vocabulary - 1};
      const std::vector<float> of_logprob = {0.5f, -2, 0}, of_entropy = {0.25f, -0.5f, 3};
      Computed computed(rows);
      cuda::token_statistics(this->launcher_, computed.with_entropy(), logits.data(), targets.data(), vocabulary, rows,
                             temperature);
      std::vector<double> exact;
      for (int row = 0; row < rows; ++row) {
        const Exact of =
            exact_statistics(logits.data() + row * vocabulary, vocabulary, targets[row], double{temperature});
        for (int i = 0; i < vocabulary; ++i) {
          const double p = std::exp(of.log_p[i]);
          double gradient = of_logprob[row] * ((i == targets[row]) - p);
          if (with_entropy) gradient -= of_entropy[row] * p * (of.log_p[i] + of.entropy);
          exact.push_back(gradient / double{temperature});
        }
      }
      cuda::logits_gradient<T>(this->launcher_, logits.data(), computed.with_entropy(), of_logprob.data(),
                               with_entropy ? of_entropy.data() : nullptr, targets.data(), vocabulary, rows,
                               temperature);
      const Rows<const T> at = cuda::logits_gradient_rows<T>(logits.data(), vocabulary);
      std::vector<T> gradient;
      for (int row = 0; row < rows; ++row) gradient.insert(gradient.end(), at[row], at[row] + vocabulary);
      // A single token has no gradient, except the rounding of its probability.
      if (vocabulary > 1) {
        EXPECT_LT(relative_error(gradient, exact), tolerance<T>) << vocabulary << " " << with_entropy;
      }
    }
  }
}

}  // namespace
}  // namespace palestra::test
