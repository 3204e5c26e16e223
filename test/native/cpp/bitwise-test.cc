// Changes that must not change a bit of the trainer's float results: packing, recomputation, threads, chunks of the
// head, and rows that are not trained.
#include "tiny-models.h"

namespace palestra::test {
namespace {

constexpr int vocabulary = 301;

/** Wide enough that products are cut into tiles and rows do not fill whole vectors. */
ModelConfig widened(ModelConfig config) {
  config.vocab_size = vocabulary;
  config.hidden_size = 72;
  config.intermediate_size = 200;
  config.head_dim = 16;
  return config;
}

Loss full_loss(const ModelConfig& config) {
  Loss loss;
  loss.policy = Policy::ppo;
  loss.behaviour_weight = BehaviourWeight::truncate;
  loss.kl = KlEstimator::k3;
  loss.kl_coefficient = 0.1f;
  loss.entropy_coefficient = 0.01f;
  if (config.value_head) {
    loss.value_coefficient = 0.5f;
    loss.value_clip = 0.2f;
  }
  return loss;
}

struct Bitwise : public ::testing::TestWithParam<TinyModel> {
  const ModelConfig config = widened(GetParam().config);
  const Pack pack = random_pack({37, 1, 20, 64, 2, 5}, vocabulary, 5);
  const Loss loss = full_loss(config);

  struct Result {
    std::vector<float> logprob;
    std::vector<float> gradients;
  };
  Result result(const TrainerOptions& options, int threads = 1) {
    Rig<float> rig(config, options, threads);
    Result out;
    out.logprob = rig.score(pack);
    rig.accumulate(pack, loss, Rollout(out.logprob, 3).inputs());
    out.gradients = rig.gradients();
    return out;
  }
  void expect_same(const Result& a, const Result& b) {
    EXPECT_EQ(a.logprob, b.logprob);
    EXPECT_EQ(a.gradients, b.gradients);
  }
};

TEST_P(Bitwise, PackedEqualsSeparate) {
  const Result packed = result({160, Recompute::none, {}});
  const Rollout rollout(packed.logprob, 3);
  Rig<float> rig(config, {160, Recompute::none, {}});
  std::vector<float> logprob;
  for (int s = 0; s + 1 < static_cast<int>(pack.starts.size()); ++s) {
    const Pack one = one_sequence(pack, s);
    const std::vector<float> scores = rig.score(one);
    logprob.insert(logprob.end(), scores.begin(), scores.end());
    rig.accumulate(one, loss, rollout.inputs(pack.starts[s]));
  }
  EXPECT_EQ(packed.logprob, logprob);
  EXPECT_EQ(packed.gradients, rig.gradients());
  EXPECT_GT(inner_product(packed.gradients, packed.gradients), 0);
}

TEST_P(Bitwise, RecomputedLayersEqualKeptOnes) {
  expect_same(result({129, Recompute::none, {}}), result({160, Recompute::layer, {}}));
}

TEST_P(Bitwise, BitsDoNotDependOnThreads) {
  expect_same(result({160, Recompute::none, {}}, 1), result({160, Recompute::none, {}}, 2));
  expect_same(result({160, Recompute::none, {}}, 1), result({160, Recompute::none, {}}, 3));
}

TEST_P(Bitwise, BitsDoNotDependOnChunksOfTheHead) {
  TrainerOptions options{160, Recompute::none, {}};
  const Result whole = result(options);
  options.logits_bytes = 7 * vocabulary * sizeof(float);
  expect_same(whole, result(options));
  options.logits_bytes = 1;
  expect_same(whole, result(options));
}

TEST_P(Bitwise, AdaptersPackedEqualSeparate) {
  LoraConfig lora;
  lora.rank = 4;
  lora.alpha = 8;
  lora.targets = 0x7f;
  const Result packed = result({160, Recompute::none, lora});
  const Rollout rollout(packed.logprob, 3);
  Rig<float> rig(config, {160, Recompute::layer, lora}, 2);
  for (int s = 0; s + 1 < static_cast<int>(pack.starts.size()); ++s) {
    rig.accumulate(one_sequence(pack, s), loss, rollout.inputs(pack.starts[s]));
  }
  EXPECT_EQ(packed.gradients, rig.gradients());
}

INSTANTIATE_TEST_SUITE_P(Tiny, Bitwise, ::testing::ValuesIn(tiny_models()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace palestra::test
