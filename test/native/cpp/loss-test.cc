// The losses of single tokens against their formulas, computed by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "core/failure.h"
#include "model/loss/token-loss.h"

namespace palestra::test {
namespace {

struct Outcome {
  LossStatistics statistics = {};
  TokenGradient gradient;
};

/** A token of weight 0.5 and current log-probability -1 whose ratio to the proximal policy is `ratio`. */
Outcome outcome(const Loss& loss, float advantage, double ratio, LossToken token = {}) {
  token.weight = 0.5f;
  token.advantage = advantage;
  token.proximal = static_cast<float>(-1 - std::log(ratio));
  Outcome result;
  result.gradient = token_loss(loss, {true, true, true}, token, {-1, 2, 0.25}, std::log(ratio), result.statistics);
  return result;
}

Loss loss_of(Policy policy) {
  Loss loss;
  loss.policy = policy;
  loss.clip_low = 0.2f;
  loss.clip_high = 0.3f;
  return loss;
}

constexpr double near = 1e-6;

TEST(CrossEntropy, IsMinusLogProbability) {
  const Outcome result = outcome(loss_of(Policy::cross_entropy), 7, 1);
  EXPECT_NEAR(result.statistics.loss, 0.5 * 1, near);
  EXPECT_NEAR(result.gradient.logprob, -0.5, near);
}

TEST(Reinforce, IsWeightedByTheAdvantage) {
  const Outcome result = outcome(loss_of(Policy::reinforce), 3, 2);
  EXPECT_NEAR(result.statistics.loss, 0.5 * 3 * 1, near);
  EXPECT_NEAR(result.gradient.logprob, -0.5 * 3, near);
}

TEST(Ppo, ClipsOnlyGains) {
  const Loss loss = loss_of(Policy::ppo);
  struct Case {
    double advantage, ratio, value, slope, low, high;
  };
  const Case cases[] = {
      {2, 1.1, -2.2, -2.2, 0, 0},   // inside
      {2, 1.5, -2.6, 0, 0, 1},      // gain beyond 1.3
      {2, 0.5, -1.0, -1.0, 0, 0},   // below, and worse: the plain term is the minimum
      {-2, 0.5, 1.6, 0, 1, 0},      // gain below 0.8
      {-2, 1.5, 3.0, 3.0, 0, 0},    // above, and worse
  };
  for (const Case& c : cases) {
    const Outcome result = outcome(loss, static_cast<float>(c.advantage), c.ratio);
    EXPECT_NEAR(result.statistics.policy_loss, 0.5 * c.value, near) << c.advantage << " " << c.ratio;
    EXPECT_NEAR(result.gradient.logprob, 0.5 * c.slope, near) << c.advantage << " " << c.ratio;
    EXPECT_EQ(result.statistics.clipped_low, c.low);
    EXPECT_EQ(result.statistics.clipped_high, c.high);
    EXPECT_NEAR(result.statistics.ratio, c.ratio, near);
  }
}

TEST(Ppo, DualClipBoundsTheLossOfBadTokens) {
  Loss loss = loss_of(Policy::ppo);
  loss.dual_clip = 3;
  const Outcome bounded = outcome(loss, -2, 5);
  EXPECT_NEAR(bounded.statistics.policy_loss, 0.5 * 6, near);
  EXPECT_EQ(bounded.gradient.logprob, 0);
  EXPECT_EQ(bounded.statistics.dual_clipped, 1);
  const Outcome free = outcome(loss, -2, 2.5);
  EXPECT_NEAR(free.statistics.policy_loss, 0.5 * 5, near);
  EXPECT_NEAR(free.gradient.logprob, 0.5 * 5, near);
  EXPECT_EQ(outcome(loss, 2, 5).statistics.dual_clipped, 0);
}

TEST(Cispo, KeepsTheGradientOfClippedTokens) {
  const Outcome result = outcome(loss_of(Policy::cispo), 2, 4);
  EXPECT_NEAR(result.gradient.logprob, -0.5 * 1.3 * 2, near);
  EXPECT_NEAR(result.statistics.policy_loss, 0.5 * 1.3 * 2 * 1, near);
  EXPECT_EQ(result.statistics.clipped_high, 1);
}

TEST(Gspo, UsesTheRatioOfTheSequence) {
  LossToken token = {1, 2, 0, -5, 0, 0, 0};
  LossStatistics statistics = {};
  const TokenGradient gradient =
      token_loss(loss_of(Policy::gspo), {true, true, true}, token, {-1, 0, 0}, std::log(1.1), statistics);
  EXPECT_NEAR(statistics.policy_loss, -2.2, near);
  EXPECT_NEAR(gradient.logprob, -2.2, near);
}

TEST(BehaviourWeights, TruncateOrMask) {
  Loss loss = loss_of(Policy::ppo);
  loss.behaviour_cap = 2;
  LossToken token = {};
  for (const auto& [mode, ratio, weight, cut] :
       {std::tuple{BehaviourWeight::truncate, 1.5, 1.5, 0.0}, {BehaviourWeight::truncate, 8.0, 2.0, 1.0},
        {BehaviourWeight::mask, 1.5, 1.5, 0.0}, {BehaviourWeight::mask, 8.0, 0.0, 1.0},
        {BehaviourWeight::none, 8.0, 1.0, 0.0}}) {
    loss.behaviour_weight = mode;
    token.behaviour = static_cast<float>(-1 - std::log(1.1) - std::log(ratio));
    const Outcome result = outcome(loss, 2, 1.1, token);
    EXPECT_NEAR(result.statistics.policy_loss, -0.5 * 2.2 * weight, near);
    EXPECT_NEAR(result.gradient.logprob, -0.5 * 2.2 * weight, near);
    EXPECT_NEAR(result.statistics.behaviour_weight, weight, near);
    EXPECT_EQ(result.statistics.behaviour_cut, cut);
  }
}

TEST(Kl, EstimatorsAreSchulmans) {
  Loss loss = loss_of(Policy::cross_entropy);
  loss.kl_coefficient = 4;
  LossToken token = {};
  token.reference = -1.5f;  // r = -0.5
  const double r = -0.5;
  const double values[] = {-r, r * r / 2, std::exp(r) - 1 - r}, slopes[] = {1, -r, 1 - std::exp(r)};
  for (int k = 0; k < 3; ++k) {
    loss.kl = static_cast<KlEstimator>(k + 1);
    const Outcome result = outcome(loss, 0, 1, token);
    EXPECT_NEAR(result.statistics.kl_loss, 0.5 * values[k], near);
    EXPECT_NEAR(result.statistics.loss, 0.5 * (1 + 4 * values[k]), near);
    EXPECT_NEAR(result.gradient.logprob, 0.5 * (-1 + 4 * slopes[k]), near);
    EXPECT_NEAR(result.statistics.reference_kl, std::exp(r) - 1 - r, near);
  }
}

TEST(Ratios, StayFiniteForLargeLogRatios) {
  Loss loss = loss_of(Policy::ppo);
  loss.kl = KlEstimator::k3;
  loss.kl_coefficient = 1;
  LossToken token = {};
  token.reference = 500;
  const Outcome result = outcome(loss, -1, 1e300, token);
  EXPECT_TRUE(std::isfinite(result.statistics.loss));
  EXPECT_EQ(result.gradient.logprob, 0);
}

TEST(Entropy, IsSubtracted) {
  Loss loss = loss_of(Policy::cross_entropy);
  loss.entropy_coefficient = 0.1f;
  const Outcome result = outcome(loss, 0, 1);
  EXPECT_NEAR(result.statistics.loss, 0.5 * (1 - 0.1 * 2), near);
  EXPECT_NEAR(result.gradient.entropy, -0.05, near);
  EXPECT_NEAR(result.statistics.entropy, 2, near);
}

TEST(ValueLoss, TakesTheLargerOfPlainAndClippedErrors) {
  Loss loss = loss_of(Policy::cross_entropy);
  loss.value_coefficient = 3;
  loss.value_clip = 0.1f;
  LossToken token = {};
  struct Case {
    double old_value, returns, value, slope;
  };
  // The value is 0.25.
  const Case cases[] = {
      {0.2, 1, 0.5 * 0.75 * 0.75, -0.75},  // inside the range
      {0, 1, 0.5 * 0.9 * 0.9, 0},          // moved too far towards the return: the clipped error is larger
      {0, -1, 0.5 * 1.25 * 1.25, 1.25},    // moved away from it: the plain error is larger
  };
  for (const Case& c : cases) {
    token.old_value = static_cast<float>(c.old_value);
    token.returns = static_cast<float>(c.returns);
    const Outcome result = outcome(loss, 0, 1, token);
    EXPECT_NEAR(result.statistics.value_loss, 0.5 * c.value, near);
    EXPECT_NEAR(result.gradient.value, 0.5 * 3 * c.slope, near);
  }
  loss.value_clip = INFINITY;
  EXPECT_NEAR(outcome(loss, 0, 1, token).gradient.value, 0.5 * 3 * 1.25, near);
}

void expect_refused(const Loss& loss, const std::string& part) {
  try {
    check_loss(loss, false);
    ADD_FAILURE() << part;
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), Code::invalid_argument);
    EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
  }
}

TEST(LossSettings, AreRefusedWhenContradictory) {
  Loss loss;
  loss.kl_coefficient = 1;
  expect_refused(loss, "KL estimator");
  loss = {};
  loss.behaviour_weight = BehaviourWeight::mask;
  expect_refused(loss, "behaviour weight");
  loss = {};
  loss.dual_clip = 0.5f;
  expect_refused(loss, "dual_clip");
  loss = {};
  loss.value_coefficient = 1;
  expect_refused(loss, "value_clip");
  loss.value_clip = 1;
  expect_refused(loss, "value head");
}

}  // namespace
}  // namespace palestra::test
