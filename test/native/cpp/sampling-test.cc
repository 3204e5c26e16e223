// `Ops::sample` on a CPU: the sampler's draws and the head's statistics of them, for any number of threads.
#include <cstring>

#include "device.h"
#include "generate/draws/uniform.h"
#include "ops/cpu/sampling/sampler.h"

namespace palestra::test {
namespace {

constexpr int vocabulary = 1003, rows = 40;

/** Returns rules of all kinds, side by side. */
std::vector<Draw> mixed_draws(const std::vector<uint32_t>& allowed) {
  const std::vector<Sampling> rules = {
      {1, 0, 1, 0}, {0, 0, 1, 0}, {0.7f, 0, 1, 0}, {0.7f, 5, 1, 0}, {1, 0, 0.9f, 0.01f}};
  std::vector<Draw> draws;
  for (uint32_t i = 0; i < rows; ++i) {
    draws.push_back({rules[i % rules.size()], uniform_at(1, 2, i), i % 7 == 3 ? &allowed : nullptr});
  }
  return draws;
}

template <class T>
std::vector<Choice> sample(const std::vector<T>& logits, const std::vector<Draw>& draws, int threads) {
  Device<T> device(threads);
  std::vector<Choice> choices(draws.size());
  device.ops->sample(choices.data(), logits.data(), vocabulary, draws);
  return choices;
}

TEST(Sampling, EqualsTheSamplerWithTheStatisticsOfTheHead) {
  const std::vector<float> logits = random_values<float>(rows * vocabulary, 1, 2);
  const std::vector<uint32_t> allowed((vocabulary + 31) / 32, 0x10a0u);
  const std::vector<Draw> draws = mixed_draws(allowed);
  const std::vector<Choice> choices = sample(logits, draws, 1);
  Device<float> device;
  Sampler sampler;
  for (int i = 0; i < rows; ++i) {
    const float* const own = &logits[i * vocabulary];
    const Drawn drawn = sampler.draw(own, vocabulary, draws[i]);
    float log_sum, logprob;
    device.ops->token_statistics({&log_sum, &logprob, nullptr}, own, &drawn.token, vocabulary, 1,
                                 draws[i].rule.temperature == 0 ? 1 : draws[i].rule.temperature);
    EXPECT_EQ(choices[i].token, drawn.token) << i;
    EXPECT_EQ(choices[i].model_logprob, logprob) << i;
    EXPECT_EQ(choices[i].logprob, drawn.whole ? logprob : drawn.logprob) << i;
    EXPECT_EQ(drawn.whole, !draws[i].allowed && (i % 5 == 0 || i % 5 == 2)) << i;
  }
}

TEST(Sampling, ResultsDoNotDependOnThreadsAndOtherRows) {
  const std::vector<float> logits = random_values<float>(rows * vocabulary, 2, 2);
  const std::vector<uint32_t> allowed((vocabulary + 31) / 32, 0x10a0u);
  const std::vector<Draw> draws = mixed_draws(allowed);
  const std::vector<Choice> expected = sample(logits, draws, 1), shared = sample(logits, draws, 3);
  EXPECT_EQ(0, std::memcmp(expected.data(), shared.data(), rows * sizeof(Choice)));
  for (int i = 0; i < rows; ++i) {
    const std::vector<float> own(logits.begin() + i * vocabulary, logits.begin() + (i + 1) * vocabulary);
    const Choice alone = sample(own, {draws[i]}, 3)[0];
    EXPECT_EQ(0, std::memcmp(&alone, &expected[i], sizeof alone)) << i;
  }
}

TEST(Sampling, DrawsFromRoundedDoubles) {
  const std::vector<float> logits = random_values<float>(rows * vocabulary, 3, 2);
  const std::vector<Draw> draws = mixed_draws(std::vector<uint32_t>((vocabulary + 31) / 32, 0x10a0u));
  const std::vector<Choice> choices = sample(logits, {draws[0], draws[2], draws[5]}, 2);
  const std::vector<double> wide(logits.begin(), logits.end());
  const std::vector<Choice> exact = sample(wide, {draws[0], draws[2], draws[5]}, 2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(exact[i].token, choices[i].token);
    EXPECT_NEAR(exact[i].model_logprob, choices[i].model_logprob, 3e-6);
  }
}

TEST(Sampling, ReportsLogitsThatAreNotFinite) {
  std::vector<float> logits = random_values<float>(2 * vocabulary, 4);
  logits[vocabulary + 7] = NAN;
  const std::vector<Choice> choices = sample(logits, {{{}, 0.5, nullptr}, {{}, 0.5, nullptr}}, 1);
  EXPECT_GE(choices[0].token, 0);
  EXPECT_EQ(choices[1].token, -1);
}

}  // namespace
}  // namespace palestra::test
