// Packs whose sequences have parents against packs in which each sequence repeats the tokens of its ancestors: equal
// bits of the scores, and equal gradients of every loss.
#include "lazy-rig.h"
#include "named-losses.h"
#include "shared-pack.h"

namespace palestra::test {
namespace {

constexpr int sequences = 9;

TrainerOptions options(Recompute recompute = Recompute::none, LoraConfig lora = {}) { return {256, recompute, lora}; }

class SharedPacks : public ::testing::TestWithParam<TinyModel> {};

template <class T>
void expect_equal(Rig<T>& rig, const Loss& loss, uint32_t seed, double tolerance) {
  const SharedPack pack(sequences, rig.model.config().vocab_size, seed);
  const std::vector<float> logprob = rig.score(pack.shared);
  EXPECT_EQ(pack.repeated(logprob), rig.score(pack.whole));
  const Rollout rollout(logprob, seed + 11);
  rig.zero_gradients();
  const double of_shared = rig.accumulate(pack.shared, loss, rollout.inputs()).loss;
  const std::vector<T> gradients = rig.gradients();
  rig.zero_gradients();
  const double of_whole = rig.accumulate(pack.whole, loss, repeated(rollout, pack).inputs()).loss;
  EXPECT_NEAR(of_shared, of_whole, 1e-9 * std::abs(of_whole));
  EXPECT_LT(relative_error(gradients, rig.gradients()), tolerance);
}

Loss with_all_terms(const ModelConfig& config) {
  Loss loss;
  loss.policy = Policy::ppo;
  loss.kl = KlEstimator::k3;
  loss.kl_coefficient = 0.3f;
  loss.entropy_coefficient = 0.2f;
  loss.temperature = 0.8f;
  if (config.value_head) {
    loss.value_coefficient = 0.7f;
    loss.value_clip = 0.3f;
  }
  return loss;
}

TEST_P(SharedPacks, GiveTheGradientsOfWholeSequences) {
  for (Recompute recompute : {Recompute::none, Recompute::layer}) {
    Rig<double> exact(GetParam().config, options(recompute));
    Rig<float> rig(GetParam().config, options(recompute), 2);
    for (uint32_t seed = 1; seed <= 5; ++seed) {
      expect_equal(exact, with_all_terms(GetParam().config), seed, 1e-13);
      expect_equal(rig, with_all_terms(GetParam().config), seed, 1e-6);
    }
  }
}

TEST_P(SharedPacks, GiveTheGradientsOfAdapters) {
  Rig<float> rig(GetParam().config, options(Recompute::layer, {3, 5, 0x7f, 11}));
  const auto noise = random_values<float>(rig.trainer->adapters()->arena_size(), 9, 0.3);
  std::copy(noise.begin(), noise.end(), rig.trainer->adapters()->data());
  rig.trainer->refresh();
  expect_equal(rig, with_all_terms(GetParam().config), 3, 1e-6);
}

TEST_P(SharedPacks, GiveTheSameInBfloat16UpToRounding) {
  Rig<float> exact(GetParam().config, options());
  LazyRig rig(exact.model, options());
  const SharedPack pack(sequences, GetParam().config.vocab_size, 4);
  const std::vector<float> logprob = rig.score(pack.shared);
  EXPECT_EQ(pack.repeated(logprob), rig.score(pack.whole));
  rig.accumulate(pack.shared);
  const std::vector<float> gradients = rig.gradients();
  run(*rig.trainer->zero_gradients(ignore));
  rig.accumulate(pack.whole);
  EXPECT_LT(relative_error(gradients, rig.gradients()), 0.02);
}

INSTANTIATE_TEST_SUITE_P(Tiny, SharedPacks, ::testing::ValuesIn(tiny_models()),
                         [](const auto& info) { return std::string(info.param.name); });

class SharedLosses : public ::testing::TestWithParam<NamedLoss> {};

TEST_P(SharedLosses, HaveTheGradientsOfWholeSequences) {
  ModelConfig config = tiny_llama();
  config.value_head = true;
  Rig<double> exact(config, options());
  Rig<float> rig(config, options());
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    expect_equal(exact, GetParam().loss, seed, 1e-13);
    expect_equal(rig, GetParam().loss, seed, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Family, SharedLosses, ::testing::ValuesIn(losses()),
                         [](const auto& info) { return info.param.name; });

/** The ratio of a sequence is that of its own scored tokens. */
TEST(SharedSequenceLoss, HasTheGradientsOfWholeSequences) {
  Loss loss;
  loss.policy = Policy::gspo;
  loss.clip_low = loss.clip_high = 0.5f;
  Rig<float> rig(tiny_llama(), options());
  expect_equal(rig, loss, 2, 1e-6);
}

TEST(SharedGivenGradients, GiveTheGradientsOfWholeSequences) {
  ModelConfig config = tiny_llama();
  config.value_head = true;
  Rig<float> rig(config, options());
  const SharedPack pack(sequences, config.vocab_size, 6);
  const size_t n = pack.shared.tokens.size();
  const std::vector<float> by[] = {random_values<float>(n, 1), random_values<float>(n, 2), random_values<float>(n, 3)};
  run(*rig.trainer->accumulate(pack.shared, 0.9f, by[0].data(), by[1].data(), by[2].data(), ignore));
  const std::vector<float> gradients = rig.gradients();
  rig.zero_gradients();
  const std::vector<float> all[] = {pack.repeated(by[0]), pack.repeated(by[1]), pack.repeated(by[2])};
  run(*rig.trainer->accumulate(pack.whole, 0.9f, all[0].data(), all[1].data(), all[2].data(), ignore));
  EXPECT_LT(relative_error(gradients, rig.gradients()), 1e-6);
}

TEST(SharedPack, IsRefusedUnlessParentsPrecedeAndSequencesFit) {
  ModelConfig config = tiny_llama();
  config.max_position_embeddings = 10;
  Rig<float> rig(config, options());
  const auto expect_refusal = [&](const std::vector<int32_t>& parents, const std::string& part) {
    Pack pack = random_pack({6, 4, 1}, config.vocab_size, 5);
    pack.parents = parents;
    try {
      rig.score(pack);
      ADD_FAILURE() << "expected a failure: " << part;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), Code::invalid_argument);
      EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
    }
  };
  expect_refusal({-1, 0}, "parents of 3 sequences but received 2");
  expect_refusal({0, -1, -1}, "an earlier sequence as the parent of sequence 0 but received 0");
  expect_refusal({-1, -2, -1}, "the parent of sequence 1 but received -2");
  expect_refusal({-1, 0, 1}, "1 to 10 tokens in sequence 2 and its ancestors but received 11");
}

}  // namespace
}  // namespace palestra::test
