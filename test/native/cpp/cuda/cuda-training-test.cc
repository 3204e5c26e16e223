// Whole models on the CUDA operations, with emulated kernels. Scores, gradients and steps equal the CPU's in float up
// to rounding, and the bitwise guarantees hold.
#include "../shared-pack.h"
#include "cuda-rig.h"

namespace palestra::cuda {
namespace {

using test::random_pack;
using test::Rollout;
using test::TinyModel;

constexpr AdamW rule = {0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, 0, 1};

/** A head size that the tensor-core kernels support, and rows aligned to 16 bytes. */
ModelConfig wide(ModelConfig config, int head_dim) {
  config.vocab_size = 72;
  config.hidden_size = 64;
  config.intermediate_size = 96;
  config.head_dim = head_dim;
  config.max_position_embeddings = 256;
  return config;
}

std::vector<TinyModel> models() {
  std::vector<TinyModel> all = test::tiny_models();
  all.push_back({"llama_heads_of_64", wide(test::tiny_llama(), 64)});
  all.push_back({"qwen2_heads_of_64", wide(test::tiny_models()[3].config, 64)});
  all.push_back({"qwen3_heads_of_128", wide(test::tiny_models()[4].config, 128)});
  return all;
}

class CudaTraining : public EmulatedCuda, public ::testing::WithParamInterface<TinyModel> {
 protected:
  void SetUp() override {
    EmulatedCuda::SetUp();
    write("all.fatbin", "emulated");
  }
  using Options = TrainerOptions;
  ModelConfig config() const { return GetParam().config; }
  Pack pack() const { return random_pack({9, 1, 23}, config().vocab_size, 5); }
  Loss loss() const {
    Loss loss;
    loss.policy = Policy::ppo;
    loss.kl = KlEstimator::k3;
    loss.kl_coefficient = 0.1f;
    loss.entropy_coefficient = 0.01f;
    loss.temperature = 0.8f;
    loss.value_coefficient = config().value_head ? 0.5f : 0;
    loss.value_clip = 0.3f;
    return loss;
  }

  void expect_adapters_as_on_a_cpu(const LoraConfig& lora) const {
    const auto exact = cpu(options(Recompute::none, lora));
    CudaTrainer<float> rig(exact->model, options(Recompute::none, lora));
    const Rollout rollout(exact->score(pack()), 3);
    for (int i = 0; i < 2; ++i) {
      exact->accumulate(pack(), loss(), rollout.inputs());
      rig.accumulate(pack(), loss(), rollout.inputs());
      EXPECT_LT(relative_error(rig.gradients(), exact->gradients()), 1e-3) << "step " << i;
      exact->step(rule);
      rig.step(rule);
    }
  }
  Options options(Recompute recompute = Recompute::none, LoraConfig lora = {}) const { return {64, recompute, lora}; }
  /** Returns the CPU's model. Its distributions are far from flat, but not so steep that rounding decides. */
  std::unique_ptr<test::Rig<float>> cpu(const Options& options) const {
    auto rig = std::make_unique<test::Rig<float>>(config(), options);
    const float factor = std::sqrt(12 / static_cast<float>(config().hidden_size));
    for (const Parameter& p : rig->model.parameters().all()) {
      for (size_t i = 0; !p.vector && i < p.size(); ++i) rig->model.data()[p.offset + i] *= factor;
    }
    return rig;
  }
};

TEST_P(CudaTraining, InFloatEqualsTheCpus) {
  const auto exact = cpu(options());
  CudaTrainer<float> rig(exact->model, options());
  EXPECT_LT(relative_error(rig.score(pack()), exact->score(pack())), 1e-5);
  const Rollout rollout(exact->score(pack(), loss().temperature), 3);
  for (int i = 0; i < 2; ++i) {
    const LossStatistics expected = exact->accumulate(pack(), loss(), rollout.inputs());
    const LossStatistics received = rig.accumulate(pack(), loss(), rollout.inputs());
    EXPECT_EQ(received.tokens, expected.tokens);
    EXPECT_NEAR(received.loss, expected.loss, 1e-4 * (1 + std::abs(expected.loss)));
    EXPECT_LT(relative_error(rig.gradients(), exact->gradients()), 1e-4) << "step " << i;
    const double norm = exact->step(rule);
    EXPECT_NEAR(rig.step(rule), norm, 1e-4 * norm);
  }
  std::vector<float> expected;
  for (const Parameter& p : exact->model.parameters().all()) {
    expected.insert(expected.end(), exact->model.data() + p.offset, exact->model.data() + p.offset + p.size());
  }
  EXPECT_LT(relative_error(rig.weights(), expected), 1e-3);
}

TEST_P(CudaTraining, InBf16EqualsTheCpusUpToRounding) {
  const auto exact = cpu(options());
  CudaTrainer<bf16> rig(exact->model, options());
  EXPECT_LT(relative_error(rig.score(pack()), exact->score(pack())), 0.02);
  const std::vector<float> ones(pack().tokens.size(), 1.0f);
  const float* const values = config().value_head ? ones.data() : nullptr;
  run(*exact->trainer->accumulate(pack(), 1, ones.data(), ones.data(), values, ignore));
  run(*rig.trainer.accumulate(pack(), 1, ones.data(), ones.data(), values, ignore));
  EXPECT_LT(relative_error(rig.gradients(), exact->gradients()), 0.05);
  const std::vector<float> before = rig.score(pack());
  EXPECT_GT(rig.step(rule), 0);
  EXPECT_NE(rig.score(pack()), before);
}

TEST_P(CudaTraining, PackedSequencesScoreLikeSeparateOnesBitForBit) {
  const auto exact = cpu(options());
  CudaTrainer<bf16> rig(exact->model, options());
  const Pack all = pack();
  const std::vector<float> together = rig.score(all);
  std::vector<float> apart;
  for (size_t i = 0; i + 1 < all.starts.size(); ++i) {
    const std::vector<float> own = rig.score(test::one_sequence(all, static_cast<int>(i)));
    apart.insert(apart.end(), own.begin(), own.end());
  }
  EXPECT_EQ(together, apart);
}

/** Kernels do not know parents, so the rows of ancestors are repeated for attention, some sequences at a time. */
TEST_P(CudaTraining, SharedSequencesEqualWholeOnes) {
  const test::SharedPack pack(8, config().vocab_size, 4);
  const auto exact = cpu(options());
  {
    CudaTrainer<float> rig(exact->model, {40, Recompute::layer, {}});
    EXPECT_LT(relative_error(rig.score(pack.shared), exact->score(pack.shared)), 1e-5);
    const Rollout rollout(exact->score(pack.shared, loss().temperature), 3);
    exact->accumulate(pack.shared, loss(), rollout.inputs());
    rig.accumulate(pack.shared, loss(), rollout.inputs());
    EXPECT_LT(relative_error(rig.gradients(), exact->gradients()), 1e-4);
  }
  CudaTrainer<bf16> rig(exact->model, {256, Recompute::none, {}});
  EXPECT_EQ(pack.repeated(rig.score(pack.shared)), rig.score(pack.whole));
}

TEST_P(CudaTraining, BitsDoNotDependOnRecomputationAndTheOrderOfThreads) {
  const auto exact = cpu(options());
  const Rollout rollout(exact->score(pack()), 3);
  std::vector<float> gradients;
  {
    CudaTrainer<bf16> keeps(exact->model, options());
    keeps.accumulate(pack(), loss(), rollout.inputs());
    gradients = keeps.gradients();
  }
  set("REVERSED", "1");
  CudaTrainer<bf16> recomputes(exact->model, options(Recompute::layer));
  recomputes.accumulate(pack(), loss(), rollout.inputs());
  EXPECT_EQ(recomputes.gradients(), gradients);
}

// Some models have dropout, whose mask is that of the CPU.
TEST_P(CudaTraining, AdaptersAreTrainedBesideFrozenWeights) {
  expect_adapters_as_on_a_cpu({3, 6, 0x7f, 11, config().qkv_bias ? 0.4f : 0.0f});
}

INSTANTIATE_TEST_SUITE_P(Models, CudaTraining, ::testing::ValuesIn(models()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace palestra::cuda
