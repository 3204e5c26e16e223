// AdamW against the paper's algorithm in plain loops, and the other effects of a step.
#include "tiny-models.h"

namespace palestra::test {
namespace {

constexpr AdamW rule = {0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, 0, 1};

class AdamWOf : public ::testing::TestWithParam<InstructionSet> {};

TEST_P(AdamWOf, FollowsThePaper) {
  Device<float> device(1, GetParam());
  const size_t n = 1037;
  auto weights = random_values<float>(n, 1);
  std::vector<double> expected(weights.begin(), weights.end()), m(n), v(n);
  std::vector<float> first(n), second(n);
  AdamW step = rule;
  step.gradient_scale = 0.5f;
  for (step.step = 1; step.step <= 5; ++step.step) {
    const auto gradients = random_values<float>(n, 10 + static_cast<uint32_t>(step.step));
    device.ops->adamw(weights.data(), nullptr, gradients.data(), first.data(), second.data(), n, step);
    for (size_t i = 0; i < n; ++i) {
      const double g = 0.5 * gradients[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      const double mean = m[i] / (1 - std::pow(0.9, step.step)), square = v[i] / (1 - std::pow(0.999, step.step));
      expected[i] -= 0.01 * (mean / (std::sqrt(square) + 1e-8) + 0.1 * expected[i]);
    }
  }
  EXPECT_LT(relative_error(weights, expected), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Machine, AdamWOf, ::testing::ValuesIn(instruction_sets()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

struct OptimiserStep : public ::testing::Test {
  Rig<float> rig{tiny_models()[1].config};  // tied: two sums of gradients are added
  const Pack pack = random_pack({9, 11}, 13, 5);
  const std::vector<float> ones = std::vector<float>(20, 1.0f);

  std::vector<float> weights() {
    const float* data = rig.model.data();
    return {data, data + rig.model.parameters().arena_size()};
  }
  LossStatistics learn(float weight = 1) {
    const std::vector<float> weights(20, weight);
    LossInputs inputs = {};
    inputs.weight = weights.data();
    return rig.accumulate(pack, Loss{}, inputs);
  }
};

TEST_F(OptimiserStep, ReportsTheNormBeforeClipping) {
  learn();
  const std::vector<float> gradients = rig.gradients();
  const double expected = std::sqrt(inner_product(gradients, gradients));
  EXPECT_NEAR(rig.step(rule, 1e-3) / expected, 1, 1e-6);
  EXPECT_EQ(inner_product(rig.gradients(), rig.gradients()), 0);
  EXPECT_EQ(rig.model.version, 1);
  EXPECT_EQ(rig.trainer->steps(), 1);
}

TEST_F(OptimiserStep, ClippingScalesEveryGradientAlike) {
  learn();
  const auto moments_after = [&](double clip) {
    const double norm = rig.step(rule, clip);
    std::vector<float> moments;
    for (const StateSpan& span : rig.trainer->state()) {
      if (span.name.find("first_moments/") != 0) continue;
      const float* data = static_cast<const float*>(span.data);
      moments.insert(moments.end(), data, data + span.bytes / sizeof(float));
    }
    return std::pair{norm, moments};
  };
  const std::vector<float> gradients = rig.gradients();
  const auto [norm, moments] = moments_after(0.01);
  ASSERT_GT(norm, 0.01);
  ASSERT_EQ(moments.size(), gradients.size());
  double difference = 0;
  for (size_t i = 0; i < moments.size(); ++i) {
    difference = std::max(difference, std::fabs(moments[i] - 0.1 * gradients[i] * 0.01 / norm));
  }
  EXPECT_LT(difference, 1e-9);
}

TEST_F(OptimiserStep, DecaysOnlyMatrices) {
  const std::vector<float> before = weights();
  AdamW decay = rule;
  decay.lr = 0.5f;
  rig.step(decay);  // without gradients, only the decay remains
  const std::vector<float> after = weights();
  for (const Parameter& parameter : rig.model.parameters().all()) {
    const float factor = parameter.vector ? 1.0f : 1 - 0.5f * 0.1f;
    for (size_t i = parameter.offset; i < parameter.offset + parameter.size(); ++i) {
      ASSERT_FLOAT_EQ(after[i], factor * before[i]) << parameter.name;
    }
  }
}

TEST_F(OptimiserStep, IsSkippedWhenTheNormIsNotFinite) {
  learn(3e38f);
  const std::vector<float> before = weights();
  EXPECT_FALSE(std::isfinite(rig.step(rule)));
  EXPECT_EQ(weights(), before);
  EXPECT_EQ(rig.model.version, 0);
  EXPECT_EQ(rig.trainer->steps(), 0);
  learn();
  EXPECT_TRUE(std::isfinite(rig.step(rule)));
}

/** Cancels a step after that many jobs. @returns whether it was reported as done */
bool cancel_after(int jobs, Trainer<float>& trainer) {
  bool done = false;
  const auto work = trainer.step(rule, 0, nullptr, [&](std::exception_ptr failure) { done = !failure; });
  for (int i = 0; i < jobs; ++i) EXPECT_TRUE(work->advance());
  work->finish(std::make_exception_ptr(Failure(Code::cancelled, "cancelled")));
  return done;
}

TEST_F(OptimiserStep, ChangesNothingWhenCancelledBeforeItWrites) {
  learn();
  const std::vector<float> before = weights();
  EXPECT_FALSE(cancel_after(1, *rig.trainer));
  EXPECT_EQ(weights(), before);
  EXPECT_EQ(rig.model.version, 0);
  Rig<float> undisturbed(tiny_models()[1].config);
  LossInputs inputs = {};
  inputs.weight = ones.data();
  undisturbed.accumulate(pack, Loss{}, inputs);
  undisturbed.step(rule);
  rig.step(rule);
  EXPECT_EQ(weights(), std::vector<float>(undisturbed.model.data(), undisturbed.model.data() + before.size()));
}

/** Weights that need two jobs of reading and two of writing. */
TEST(LargeOptimiserStep, CompletesWhenCancelledDuringWrites) {
  ModelConfig config = tiny_llama();
  config.vocab_size = 90000;
  config.hidden_size = 48;
  config.num_hidden_layers = 1;
  config.tie_word_embeddings = true;
  const Pack pack = random_pack({9, 11}, config.vocab_size, 5);
  const std::vector<float> ones(20, 1.0f);
  LossInputs inputs = {};
  inputs.weight = ones.data();
  Rig<float> cancelled(config), undisturbed(config);
  cancelled.accumulate(pack, Loss{}, inputs);
  undisturbed.accumulate(pack, Loss{}, inputs);
  undisturbed.step(rule);
  EXPECT_TRUE(cancel_after(3, *cancelled.trainer));
  EXPECT_EQ(cancelled.model.version, 1);
  const size_t bytes = sizeof(float) * config.vocab_size * config.hidden_size;
  EXPECT_EQ(std::memcmp(cancelled.model.data(), undisturbed.model.data(), bytes), 0);
}

}  // namespace
}  // namespace palestra::test
