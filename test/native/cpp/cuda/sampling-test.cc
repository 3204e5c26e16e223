// Sampling by kernel against the host's sampler and the definition, over random rules, masks and logits with ties.
#include "ops/cuda/logits/sampling.h"

#include <limits>
#include <map>

#include "emulator/emulated-launcher.h"
#include "host-stream.h"
#include "ops/cpu/sampling/sampler.h"
#include "ops/cuda/logits/head.h"
#include "values.h"

namespace palestra::test {
namespace {

class CudaSampling : public ::testing::TestWithParam<bool> {
 protected:
  std::vector<Choice> sample(const std::vector<float>& logits, int vocabulary, const std::vector<Draw>& draws) {
    std::vector<Choice> choices(draws.size());
    sampler_.sample(stream_, launcher_, choices.data(), logits.data(), vocabulary, draws);
    return choices;
  }
  Choice sample(const std::vector<float>& logits, const Draw& draw) {
    return sample(logits, static_cast<int>(logits.size()), {draw})[0];
  }
  cuda::EmulatedLauncher launcher_{GetParam()};

 private:
  HostStream stream_;
  cuda::CudaSampler sampler_{stream_.memory()};
};

/** Returns rows of several kinds: smooth, a few values with many ties, one peak, flat. */
std::vector<float> logits_of(int n, std::mt19937& random) {
  const int kind = static_cast<int>(random() % 4);
  std::vector<float> logits = random_values<float>(n, random(), kind == 0 ? 2 : kind == 1 ? 1 : kind == 2 ? 8 : 0.05);
  if (kind == 1) {
    for (float& logit : logits) logit = std::round(2 * logit) / 2;
  }
  return logits;
}

Sampling rule_of(std::mt19937& random) {
  const auto pick = [&](std::vector<float> of) { return of[random() % of.size()]; };
  return {pick({1, 1, 0.5f, 1.7f, 0.05f, 3, 0}), static_cast<int32_t>(pick({0, 0, 0, 1, 7, 40, 400, 5000})),
          pick({1, 1, 0.9f, 0.5f, 0.99f, 0.03f, 0}), pick({0, 0, 0.02f, 0.3f, 1})};
}

std::vector<uint32_t> mask_of(int n, std::mt19937& random) {
  std::vector<uint32_t> bits((n + 31) / 32);
  for (uint32_t& word : bits) word = random() & random();
  bits[n / 64] |= 1u << (n / 2 % 32);
  return bits;
}

/**
 * Whether the host's different choice is due to float rounding: it could have drawn that token with the reported
 * log-probability.
 */
bool is_on_edge(Sampler& host, const std::vector<float>& logits, Draw draw, const Choice& choice) {
  const int n = static_cast<int>(logits.size());
  const Draw asked = draw;
  const auto expected = host.draw(logits.data(), n, draw);
  const double further = logits[choice.token] - logits[expected.token];
  const double logprob = expected.logprob + further / double{draw.rule.temperature};
  if (std::fabs(logprob - choice.logprob) > 1e-4 || logprob < -88) return false;
  for (double by : {-3e-6, 0.0, 3e-6}) {
    draw.rule.top_p = asked.rule.top_p < 1 ? static_cast<float>(asked.rule.top_p * (1 + by)) : 1;
    draw.rule.min_p = static_cast<float>(asked.rule.min_p * (1 - by));
    draw.uniform = std::max(asked.uniform - 3e-6, 0.0);
    const int32_t first = host.draw(logits.data(), n, draw).token;
    draw.uniform = asked.uniform + 3e-6;
    const int32_t last = draw.uniform < 1 ? host.draw(logits.data(), n, draw).token : n;
    if (first <= choice.token && choice.token <= last) return true;
  }
  return false;
}

TEST_P(CudaSampling, DrawsLikeTheHost) {
  std::mt19937 random(GetParam() ? 1 : 2);
  Sampler host;
  int on_edge = 0, draws_in_all = 0;
  for (int n : {3, 32, 37, 300, 1003, 2060, 6001}) {
    for (int round = 0; round < 6; ++round) {
      const auto row = logits_of(n, random);
      std::vector<float> logits;
      std::vector<Draw> draws;
      const auto mask = mask_of(n, random);
      for (int i = 0; i < 8; ++i) {
        const double uniform = i == 0 ? 0 : i == 1 ? std::nextafter(1.0, 0.0) : random() * 0x1p-32;
        draws.push_back({rule_of(random), uniform, random() % 3 == 0 ? &mask : nullptr});
        logits.insert(logits.end(), row.begin(), row.end());
      }
      const auto choices = sample(logits, n, draws);
      for (size_t i = 0; i < draws.size(); ++i) {
        const auto expected = host.draw(row.data(), n, draws[i]);
        const Sampling& rule = draws[i].rule;
        ++draws_in_all;
        if (choices[i].token != expected.token && is_on_edge(host, row, draws[i], choices[i])) {
          ++on_edge;
          continue;
        }
        ASSERT_EQ(choices[i].token, expected.token)
            << "of " << n << " at " << rule.temperature << ", k " << rule.top_k << ", p " << rule.top_p << ", min "
            << rule.min_p << (draws[i].allowed ? ", masked" : "") << ", uniform " << draws[i].uniform;
        ASSERT_NEAR(choices[i].logprob, expected.logprob, 1e-5);
      }
    }
  }
  EXPECT_LE(on_edge, draws_in_all / 100);
}

TEST_P(CudaSampling, ModelLogprobHasTheBitsOfTheStatistics) {
  std::mt19937 random(3);
  for (int n : {33, 5003}) {
    const auto mask = mask_of(n, random);
    const auto logits = random_values<float>(n, 4, 3);
    const std::vector<Draw> draws = {
        {{0.7f, 0, 1, 0}, 0.3, nullptr}, {{1.3f, 9, 0.8f, 0}, 0.9, &mask}, {{0, 0, 1, 0}, 0, &mask}};
    for (const Draw& draw : draws) {
      const Choice choice = sample(logits, draw);
      float log_sum, logprob;
      cuda::token_statistics(launcher_, {&log_sum, &logprob, nullptr}, logits.data(), &choice.token, n, 1,
                             draw.rule.temperature == 0 ? 1 : draw.rule.temperature);
      EXPECT_EQ(choice.model_logprob, logprob);
    }
    const Choice plain = sample(logits, {{0.7f, 0, 1, 0}, 0.3, nullptr});
    EXPECT_NEAR(plain.logprob, plain.model_logprob, 2e-6);
  }
}

TEST_P(CudaSampling, CutsBetweenEqualTokensKeepTheLowerOnes) {
  // More kept tokens than a list holds, and few.
  for (int n : {40, 5001}) {
    const std::vector<float> logits(n, 1.5f);
    std::vector<uint32_t> but_four((n + 31) / 32, 0xffffffffu);
    but_four[0] = 0xfffffff0u;
    const double last = std::nextafter(1.0, 0.0);
    EXPECT_EQ(sample(logits, {{1, 5, 1, 0}, last, nullptr}).token, 4);
    EXPECT_EQ(sample(logits, {{1, 5, 1, 0}, last, &but_four}).token, 8);
    EXPECT_EQ(sample(logits, {{1, 0, 9.5f / n, 0}, last, nullptr}).token, 9);
    EXPECT_EQ(sample(logits, {{1, 20, 0.48f, 0}, last, nullptr}).token, 9);
    EXPECT_NEAR(sample(logits, {{1, 20, 0.48f, 0}, 0.5, nullptr}).logprob, -std::log(10.0), 1e-6);
    EXPECT_EQ(sample(logits, {{0, 0, 1, 0}, 0.9, nullptr}).token, 0);
    EXPECT_EQ(sample(logits, {{0, 0, 1, 0}, 0.9, &but_four}).token, 4);
    EXPECT_EQ(sample(logits, {{0, 0, 1, 0}, 0.9, &but_four}).logprob, 0);
  }
}

TEST_P(CudaSampling, ReportsLogitsThatAreNotFinite) {
  for (float strange : {NAN, INFINITY, -INFINITY}) {
    for (int n : {33, 64}) {
      auto logits = random_values<float>(n, 1);
      const auto sound = logits;
      logits[n - 1] = strange;
      std::vector<uint32_t> others((n + 31) / 32, 1);
      for (const Sampling& rule : {Sampling{0, 0, 1, 0}, Sampling{1, 0, 1, 0}, Sampling{1, 3, 0.5f, 0}}) {
        EXPECT_EQ(sample(logits, {rule, 0.5, nullptr}).token, -1);
        EXPECT_EQ(sample(logits, {rule, 0.5, &others}).token, -1);
        EXPECT_GE(sample(sound, {rule, 0.5, nullptr}).token, 0);
      }
    }
  }
}

TEST_P(CudaSampling, BoundsOfTheUnitIntervalDrawAllowedTokens) {
  std::vector<float> logits(600, -300);  // e^-300 is 0 in float
  logits[300] = 0;
  logits[301] = -1;
  for (double uniform : {0.0, std::nextafter(1.0, 0.0)}) {
    for (const Sampling& rule : {Sampling{1, 0, 1, 0}, Sampling{1, 500, 1, 0}, Sampling{1, 0, 1, 0.001f}}) {
      EXPECT_EQ(sample(logits, {rule, uniform, nullptr}).token, uniform == 0 ? 300 : 301);
    }
  }
  EXPECT_EQ(sample(logits, {{1e-30f, 0, 1, 0}, 0.99, nullptr}).token, 300);
}

TEST_P(CudaSampling, CountsOfDrawsPassAChiSquareTest) {
  constexpr int n = 50, draws = 400;
  const auto row = random_values<float>(n, 9);
  std::vector<float> logits;
  std::vector<Draw> all;
  std::mt19937 random(5);
  for (int i = 0; i < draws; ++i) {
    all.push_back({{0.7f, 0, 1, 0.05f}, random() * 0x1p-32, nullptr});
    logits.insert(logits.end(), row.begin(), row.end());
  }
  std::map<int, std::pair<int, double>> counts;  // and probabilities
  for (const Choice& choice : sample(logits, n, all)) {
    ++counts[choice.token].first;
    counts[choice.token].second = std::exp(double{choice.logprob});
  }
  double statistic = 0, total = 0;
  for (const auto& [token, seen] : counts) {
    const double mean = draws * seen.second;
    statistic += (seen.first - mean) * (seen.first - mean) / mean;
    total += seen.second;
  }
  EXPECT_NEAR(total, 1, 1e-5);  // Every kept token was drawn.
  const double freedom = static_cast<double>(counts.size()) - 1;
  EXPECT_LT(statistic, freedom + 6 * std::sqrt(2 * freedom));
  EXPECT_GT(statistic, freedom - 4 * std::sqrt(2 * freedom));
}

TEST_P(CudaSampling, RowsAreDrawnIndependently) {
  std::mt19937 random(11);
  const int n = 260;
  std::vector<float> logits;
  std::vector<Draw> draws;
  std::vector<std::vector<float>> rows;
  const auto first = mask_of(n, random), second = mask_of(n, random);
  for (int i = 0; i < 6; ++i) {
    rows.push_back(logits_of(n, random));
    logits.insert(logits.end(), rows[i].begin(), rows[i].end());
    draws.push_back({rule_of(random), random() * 0x1p-32, i % 3 == 0 ? nullptr : i < 4 ? &first : &second});
  }
  const auto together = sample(logits, n, draws);
  for (int i = 0; i < 6; ++i) {
    const Choice alone = sample(rows[i], draws[i]);
    EXPECT_EQ(alone.token, together[i].token);
    EXPECT_EQ(alone.logprob, together[i].logprob);
    EXPECT_EQ(alone.model_logprob, together[i].model_logprob);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, CudaSampling, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

}  // namespace
}  // namespace palestra::test
