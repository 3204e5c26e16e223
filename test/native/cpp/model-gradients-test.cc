// Whole models against central differences of their loss, in double: every architecture, every loss.
#include <algorithm>

#include "named-losses.h"
#include "tiny-models.h"

namespace palestra::test {
namespace {

constexpr double tolerance = 1e-6;

/** Compares some elements of each trained tensor's gradient with differences of the loss. */
void expect_gradients(Rig<double>& rig, const std::vector<StateSpan>& weights, const std::function<double()>& loss) {
  rig.zero_gradients();
  loss();
  const std::vector<StateSpan> gradients = rig.trainer->gradients();
  std::mt19937 random(3);
  std::vector<double> found, differences;
  for (const StateSpan& span : gradients) {
    const size_t n = span.bytes / sizeof(double);
    std::vector<size_t> at = all_of(n);
    std::shuffle(at.begin(), at.end(), random);
    at.resize(std::min<size_t>(n, 12));
    std::vector<double> here;
    for (size_t i : at) here.push_back(static_cast<double*>(span.data)[i]);
    const auto owner = std::find_if(weights.begin(), weights.end(),
                                    [&](const StateSpan& w) { return w.name == "weights/" + span.name; });
    ASSERT_NE(owner, weights.end()) << span.name;
    // Probing the loss adds to the gradients, which were read before.
    const std::vector<double> probed = finite_differences(static_cast<double*>(owner->data), at, loss, 2e-5);
    EXPECT_LT(relative_error(here, probed), tolerance) << span.name;
    found.insert(found.end(), here.begin(), here.end());
    differences.insert(differences.end(), probed.begin(), probed.end());
    rig.zero_gradients();
    loss();
  }
  EXPECT_LT(relative_error(found, differences), tolerance);
}

class Architectures : public ::testing::TestWithParam<TinyModel> {};

TEST_P(Architectures, GradientsEqualFiniteDifferences) {
  Rig<double> rig(GetParam().config);
  const Pack pack = random_pack({7, 2, 9}, rig.model.config().vocab_size, 5);
  const Rollout rollout(rig.score(pack), 11);
  Loss loss;
  loss.policy = Policy::ppo;
  loss.kl = KlEstimator::k3;
  loss.kl_coefficient = 0.3f;
  loss.entropy_coefficient = 0.2f;
  loss.temperature = 0.8f;
  if (rig.model.config().value_head) {
    loss.value_coefficient = 0.7f;
    loss.value_clip = 0.3f;
  }
  expect_gradients(rig, rig.trainer->state(), [&] { return rig.accumulate(pack, loss, rollout.inputs()).loss; });
}

/** The dropped elements are equal in each pass of a train step, so the differences have the gradient's mask. */
void expect_adapter_gradients(const ModelConfig& config, float dropout) {
  LoraConfig lora;
  lora.rank = 3;
  lora.alpha = 5;
  lora.targets = 0x7f;
  lora.dropout = dropout;
  Rig<double> rig(config, {32, Recompute::layer, lora});
  // Away from zero, where only b would have a gradient.
  for (const StateSpan& span : rig.trainer->state()) {
    if (span.name.find("lora_B") == std::string::npos || span.name.find("weights/") != 0) continue;
    const auto values = random_values<double>(span.bytes / sizeof(double), 9, 0.3);
    std::memcpy(span.data, values.data(), span.bytes);
  }
  const Pack pack = random_pack({6, 8}, rig.model.config().vocab_size, 5);
  const Rollout rollout(rig.score(pack), 11);
  expect_gradients(rig, rig.trainer->state(), [&] { return rig.accumulate(pack, Loss{}, rollout.inputs()).loss; });
}

TEST_P(Architectures, AdapterGradientsEqualFiniteDifferences) { expect_adapter_gradients(GetParam().config, 0); }

TEST_P(Architectures, AdapterGradientsWithDropoutEqualFiniteDifferences) {
  expect_adapter_gradients(GetParam().config, 0.4f);
}

INSTANTIATE_TEST_SUITE_P(Tiny, Architectures, ::testing::ValuesIn(tiny_models()),
                         [](const auto& info) { return info.param.name; });

class Losses : public ::testing::TestWithParam<NamedLoss> {};

TEST_P(Losses, GradientsEqualFiniteDifferences) {
  ModelConfig config = tiny_llama();
  config.value_head = true;
  Rig<double> rig(config);
  const Pack pack = random_pack({9, 11}, config.vocab_size, 5);
  const Rollout rollout(rig.score(pack), 21);
  expect_gradients(rig, rig.trainer->state(),
                   [&] { return rig.accumulate(pack, GetParam().loss, rollout.inputs()).loss; });
}

INSTANTIATE_TEST_SUITE_P(Family, Losses, ::testing::ValuesIn(losses()),
                         [](const auto& info) { return info.param.name; });

/** With one advantage and weight per sequence, the gradient of GSPO's tokens is that of its value. */
TEST(SequenceLoss, GradientsEqualFiniteDifferences) {
  Rig<double> rig(tiny_llama());
  const Pack pack = random_pack({9, 11, 6}, rig.model.config().vocab_size, 5);
  Rollout rollout(rig.score(pack), 21, 0.3);
  for (int s = 0; s < 3; ++s) {
    for (int t = pack.starts[s]; t < pack.starts[s + 1]; ++t) {
      rollout.weight[t] = 0.5f;
      rollout.advantage[t] = s == 1 ? -0.7f : 1.0f + s;
    }
  }
  Loss loss;
  loss.policy = Policy::gspo;
  loss.clip_low = loss.clip_high = 0.5f;
  expect_gradients(rig, rig.trainer->state(), [&] { return rig.accumulate(pack, loss, rollout.inputs()).loss; });
}

TEST(SequenceLoss, SequencesMaySpanChunksOfTheHead) {
  TrainerOptions options{32, Recompute::none, {}};
  Rig<double> whole(tiny_llama(), options);
  options.logits_bytes = 3 * 13 * sizeof(double);
  Rig<double> cut(tiny_llama(), options);
  const Pack pack = random_pack({9, 11, 6}, 13, 5);
  const Rollout rollout(whole.score(pack), 21, 0.3);
  Loss loss;
  loss.policy = Policy::gspo;
  EXPECT_EQ(whole.accumulate(pack, loss, rollout.inputs()).loss, cut.accumulate(pack, loss, rollout.inputs()).loss);
  EXPECT_EQ(whole.gradients(), cut.gradients());
}

/** CISPO's ratio is a constant in the gradient: REINFORCE with advantages clip(u) A. */
TEST(ClippedImportance, KeepsTheGradientOfClippedTokens) {
  Rig<double> rig(tiny_llama());
  const Pack pack = random_pack({9, 11}, 13, 5);
  const std::vector<float> logprob = rig.score(pack);
  Rollout rollout(logprob, 21, 0.3);
  Loss loss;
  loss.policy = Policy::cispo;
  const LossStatistics statistics = rig.accumulate(pack, loss, rollout.inputs());
  const std::vector<double> gradients = rig.gradients();
  EXPECT_GT(statistics.clipped_low, 0);
  EXPECT_GT(statistics.clipped_high, 0);
  for (size_t t = 0; t < logprob.size(); ++t) {
    const float ratio = std::exp(logprob[t] - rollout.proximal[t]);
    rollout.advantage[t] *= std::min(1.2f, std::max(0.8f, ratio));
  }
  rig.zero_gradients();
  loss.policy = Policy::reinforce;
  rig.accumulate(pack, loss, rollout.inputs());
  EXPECT_LT(relative_error(gradients, rig.gradients()), tolerance);
}

/** Gradients from the caller, for a loss that is linear in log-probability, entropy and value. */
TEST(GivenGradients, EqualThoseOfALinearLoss) {
  ModelConfig config = tiny_llama();
  config.value_head = true;
  Rig<double> rig(config);
  const Pack pack = random_pack({9, 11}, 13, 5);
  const size_t n = pack.tokens.size();
  const auto by_logprob = random_values<float>(n, 1), by_entropy = random_values<float>(n, 2);
  const auto by_value = random_values<float>(n, 3);
  run(*rig.trainer->accumulate(pack, 0.9f, by_logprob.data(), by_entropy.data(), by_value.data(), ignore));
  const std::vector<double> gradients = rig.gradients();

  // The same by built-in losses: -A logp with A = -g, the entropy bonus token by token, and a value loss of slope g.
  std::vector<double> sum(gradients.size());
  const auto add = [&](const Loss& loss, const LossInputs& inputs) {
    rig.zero_gradients();
    rig.accumulate(pack, loss, inputs);
    const std::vector<double> part = rig.gradients();
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  };
  std::vector<float> ones(n, 1.0f), zeros(n, 0.0f), value(n), advantage(n), returns(n);
  run(*rig.trainer->score(pack, 0.9f, {nullptr, nullptr, value.data()}, ignore));
  for (size_t i = 0; i < n; ++i) {
    advantage[i] = -by_logprob[i];
    returns[i] = value[i] - by_value[i];
  }
  Loss loss;
  loss.policy = Policy::reinforce;
  loss.temperature = 0.9f;
  loss.value_coefficient = 1;
  loss.value_clip = INFINITY;
  LossInputs inputs = {};
  inputs.weight = ones.data();
  inputs.advantage = advantage.data();
  inputs.returns = returns.data();
  add(loss, inputs);
  loss.value_coefficient = 0;
  loss.entropy_coefficient = -1;
  inputs.weight = by_entropy.data();
  inputs.advantage = zeros.data();
  add(loss, inputs);
  EXPECT_LT(relative_error(gradients, sum), tolerance);
}

}  // namespace
}  // namespace palestra::test
