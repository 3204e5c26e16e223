// The sampler's distribution, compared with its definition in double, and by counting draws.
#include "ops/cpu/sampling/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "generate/draws/uniform.h"

namespace palestra {
namespace {

std::vector<float> random_logits(int n, unsigned seed, double spread = 2) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, spread);
  std::vector<float> logits(n);
  for (float& logit : logits) logit = static_cast<float>(normal(random));
  return logits;
}

/** Returns the distribution by definition, without tokens that cannot be drawn. */
std::map<int, double> exact(const std::vector<float>& logits, const Sampling& rule,
                            const std::vector<uint32_t>* allowed = nullptr) {
  std::vector<std::pair<double, int>> ranked;
  for (int i = 0; i < static_cast<int>(logits.size()); ++i) {
    if (allowed && !((*allowed)[i / 32] >> (i % 32) & 1)) continue;
    ranked.push_back({-logits[i] / double{rule.temperature}, i});
  }
  std::sort(ranked.begin(), ranked.end());
  if (rule.top_k > 0 && ranked.size() > static_cast<size_t>(rule.top_k)) ranked.resize(rule.top_k);
  const auto weight = [&](size_t i) { return std::exp(ranked[0].first - ranked[i].first); };
  double total = 0, sum = 0;
  for (size_t i = 0; i < ranked.size(); ++i) total += weight(i);
  size_t kept = 0;
  while (kept < ranked.size() && sum < rule.top_p * total) sum += weight(kept++);
  while (kept > 1 && weight(kept - 1) < rule.min_p) sum -= weight(--kept);
  std::map<int, double> result;
  for (size_t i = 0; i < kept; ++i) result[ranked[i].second] = weight(i) / sum;
  return result;
}

struct Case {
  Sampling rule;
  bool masked;
};

const std::vector<Case> cases = {
    {{1, 0, 1, 0}, false},     {{0.5f, 0, 1, 0}, false}, {{1.7f, 0, 1, 0}, true},
    {{1, 7, 1, 0}, false},     {{1, 1, 1, 0}, false},    {{1, 0, 0.7f, 0}, false},
    {{1, 0, 0.01f, 0}, false}, {{1, 0, 1, 0.1f}, false}, {{1, 0, 1, 1}, false},
    {{2, 40, 0.5f, 0}, false}, {{1, 500, 1, 0}, false},  {{0.01f, 0, 0.999f, 0}, false},
    {{0.8f, 12, 0.9f, 0.05f}, true}, {{1, 8, 0.97f, 0.3f}, false},
};

std::vector<uint32_t> mask(int n) {
  std::vector<uint32_t> bits((n + 31) / 32, 0);
  for (int i = 0; i < n; i += 3) bits[i / 32] |= 1u << (i % 32);
  return bits;
}

TEST(Sampler, DrawsFromTheReportedDistribution) {
  constexpr int n = 300;
  Sampler sampler;
  for (size_t c = 0; c < cases.size(); ++c) {
    const std::vector<float> logits = random_logits(n, static_cast<unsigned>(c));
    const std::vector<uint32_t> every_third = mask(n);
    const std::vector<uint32_t>* const allowed = cases[c].masked ? &every_third : nullptr;
    const std::map<int, double> expected = exact(logits, cases[c].rule, allowed);
    std::map<int, double> seen;
    constexpr int grid = 10000;
    // The inverse of a cumulative distribution gives each token an interval as long as its probability.
    for (int i = 0; i < grid; ++i) {
      const Drawn choice = sampler.draw(logits.data(), n, {cases[c].rule, (i + 0.5) / grid, allowed});
      ASSERT_TRUE(expected.count(choice.token)) << "case " << c << " drew " << choice.token;
      ASSERT_NEAR(choice.logprob, std::log(expected.at(choice.token)), 2e-5) << "case " << c;
      seen[choice.token] += 1.0 / grid;
    }
    for (const auto& [token, probability] : expected) EXPECT_NEAR(seen[token], probability, 1.1 / grid) << "case " << c;
  }
}

TEST(Sampler, CountsOfDrawsPassAChiSquareTest) {
  constexpr int n = 50, draws = 50000;
  const std::vector<float> logits = random_logits(n, 9, 1);
  Sampler sampler;
  for (const Sampling& rule : {Sampling{1, 0, 1, 0}, Sampling{0.7f, 20, 0.95f, 0}}) {
    const std::map<int, double> expected = exact(logits, rule);
    std::map<int, int> counts;
    for (uint32_t i = 0; i < draws; ++i) {
      ++counts[sampler.draw(logits.data(), n, {rule, uniform_at(1, 2, i), nullptr}).token];
    }
    double statistic = 0;
    for (const auto& [token, probability] : expected) {
      const double mean = draws * probability;
      statistic += (counts[token] - mean) * (counts[token] - mean) / mean;
    }
    // Six deviations above the expected value. The draws are fixed, so the test cannot fail by chance.
    const double freedom = static_cast<double>(expected.size()) - 1;
    EXPECT_LT(statistic, freedom + 6 * std::sqrt(2 * freedom));
    EXPECT_GT(statistic, freedom - 4 * std::sqrt(2 * freedom));
  }
}

TEST(Sampler, CutsBetweenEqualTokensKeepTheLowerOnes) {
  const std::vector<float> logits(40, 1.5f);
  Sampler sampler;
  std::map<int, int> by_k, by_p;
  for (int i = 0; i < 1000; ++i) {
    ++by_k[sampler.draw(logits.data(), 40, {{1, 5, 1, 0}, i / 1000.0, nullptr}).token];
    ++by_p[sampler.draw(logits.data(), 40, {{1, 0, 0.24f, 0}, i / 1000.0, nullptr}).token];
  }
  EXPECT_EQ(by_k.size(), 5u);
  EXPECT_EQ(by_k.rbegin()->first, 4);
  EXPECT_EQ(by_p.size(), 10u);
  EXPECT_EQ(by_p.rbegin()->first, 9);
  const std::vector<uint32_t> from_four = {0xfffffff0u, 1};
  EXPECT_EQ(sampler.draw(logits.data(), 40, {{0, 0, 1, 0}, 0.9, nullptr}).token, 0);
  EXPECT_EQ(sampler.draw(logits.data(), 40, {{0, 0, 1, 0}, 0.9, &from_four}).token, 4);
}

TEST(Sampler, ReportsLogitsThatAreNotFinite) {
  Sampler sampler;
  for (float strange : {NAN, INFINITY, -INFINITY}) {
    std::vector<float> logits = random_logits(33, 1);
    logits[32] = strange;
    for (const Sampling& rule : {Sampling{0, 0, 1, 0}, Sampling{1, 0, 1, 0}, Sampling{1, 3, 1, 0}}) {
      EXPECT_EQ(sampler.draw(logits.data(), 33, {rule, 0.5, nullptr}).token, -1);
    }
  }
}

TEST(Sampler, BoundsOfTheUnitIntervalDrawAllowedTokens) {
  Sampler sampler;
  std::vector<float> logits(600, -300);  // e^-300 is 0 in float
  logits[300] = 0;
  logits[301] = -1;
  for (double uniform : {0.0, std::nextafter(1.0, 0.0)}) {
    for (const Sampling& rule : {Sampling{1, 0, 1, 0}, Sampling{1, 500, 1, 0}, Sampling{1, 0, 1, 0.001f}}) {
      const int32_t token = sampler.draw(logits.data(), 600, {rule, uniform, nullptr}).token;
      EXPECT_EQ(token, uniform == 0 ? 300 : 301);
    }
  }
  EXPECT_EQ(sampler.draw(logits.data(), 600, {{1e-30f, 0, 1, 0}, 0.99, nullptr}).token, 300);
}

TEST(Sampler, DrawsAreAFunctionOfSeedStreamAndPosition) {
  EXPECT_EQ(uniform_at(1, 2, 3), uniform_at(1, 2, 3));
  const double base = uniform_at(1, 2, 3);
  EXPECT_NE(base, uniform_at(2, 2, 3));
  EXPECT_NE(base, uniform_at(1, 3, 3));
  EXPECT_NE(base, uniform_at(1, 2, 4));
  EXPECT_NE(base, uniform_at(1 + (uint64_t{1} << 32), 2, 3));
  EXPECT_NE(base, uniform_at(1, 2 + (uint64_t{1} << 32), 3));
  double sum = 0;
  for (uint32_t i = 0; i < 10000; ++i) {
    const double uniform = uniform_at(5, 6, i);
    ASSERT_GE(uniform, 0);
    ASSERT_LT(uniform, 1);
    sum += uniform;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);
}

}  // namespace
}  // namespace palestra
