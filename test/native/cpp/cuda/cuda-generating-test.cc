// Generation on the CUDA operations, with emulated kernels, beside training on another stream. Samples carry the
// trainer's log-probabilities and do not depend on concurrent work.
#include "cuda-rig.h"

namespace palestra::cuda {
namespace {

using test::random_tokens;
using test::request_of;
using test::Sampled;

/** Head sizes that the tensor-core kernels support. */
ModelConfig config_of(int head_dim = 64) {
  ModelConfig config = test::tiny_config();
  config.head_dim = head_dim;
  return config;
}

template <class T>
GeneratorOptions options_of(KeyValueFormat keys_values = KeyValueFormat::plain) {
  GeneratorOptions options;
  options.max_sequences = 6;
  options.max_rows = 24;
  options.kv_bytes = size_t{4} << 20;
  options.keys_values = keys_values;
  options.weights = dtype_of<T>;
  return options;
}

template <class T>
struct CudaPlayer : test::PlayerOf<T> {
  explicit CudaPlayer(CudaModel<T>& model, const GeneratorOptions& options = options_of<T>())
      : test::PlayerOf<T>(*model.generate, model.model, options, nullptr) {}
};

class CudaGenerating : public EmulatedCuda {
 protected:
  void SetUp() override {
    EmulatedCuda::SetUp();
    write("all.fatbin", "emulated");
  }

  /** Samples before and after a step that the generator took over, scored as the trainer does. */
  template <class T>
  void expect_the_trainers_logprobs(int head_dim, KeyValueFormat keys_values, double most) {
    test::SmallModel like(config_of(head_dim));
    CudaTrainer<T> machine(like.model, {160, Recompute::none, {}});
    CudaPlayer<T> player(machine, options_of<T>(keys_values));
    std::mt19937 random(3);
    for (uint64_t first : {0, 10}) {
      std::vector<std::vector<int32_t>> prompts;
      for (int length : {1, 17, 30}) {
        prompts.push_back(random_tokens(random, length));
        player.generator.submit(first + prompts.size(), request_of(prompts.back(), 8, length), 1);
      }
      player.run();
      for (size_t i = 0; i < prompts.size(); ++i) {
        const Sampled& sampled = player[first + i + 1];
        std::vector<int32_t> tokens = prompts[i];
        tokens.insert(tokens.end(), sampled.tokens.begin(), sampled.tokens.end());
        const std::vector<float> scores = test::scores_of(machine.trainer, tokens, 1);
        const std::vector<float> own(scores.begin() + static_cast<ptrdiff_t>(prompts[i].size()), scores.end());
        EXPECT_LT(relative_error(sampled.model_logprobs, own), most);
        EXPECT_EQ(sampled.versions, std::vector<int64_t>(8, static_cast<int64_t>(first / 10)));
      }
      const Pack pack = test::random_pack({9, 11}, like.model.config().vocab_size, 5);
      const std::vector<float> ones(pack.tokens.size(), 1.0f);
      run(*machine.trainer.accumulate(pack, 1, ones.data(), nullptr, nullptr, ignore));
      machine.step({0.02f, 0.9f, 0.999f, 1e-8f, 0, 0, 1});
      player.generator.update(OnUpdate::recompute);
    }
  }
};

/** Penalties change the draws but not the trainer's log-probabilities. Top tokens begin with the greedy one. */
TEST_F(CudaGenerating, PenaltiesLeaveTheTrainersLogprobsAlone) {
  test::SmallModel like(config_of(64));
  CudaTrainer<float> machine(like.model, {160, Recompute::none, {}});
  CudaPlayer<float> player(machine);
  std::mt19937 random(8);
  std::vector<Request> requests;
  for (uint64_t i = 0; i < 4; ++i) {
    requests.push_back(request_of(random_tokens(random, 12), 10, 3, i % 2 == 0 ? 1 : 0));
    if (i < 2) continue;
    requests[i].tokens = requests[i - 2].tokens;
    requests[i].penalties.repetition = 2.5f;
    requests[i].penalties.presence = 1;
    requests[i].top_tokens = 3;
  }
  for (size_t i = 0; i < requests.size(); ++i) player.generator.submit(i, requests[i], 1);
  player.run();
  for (size_t i = 0; i < requests.size(); ++i) {
    const Sampled& sampled = player[i];
    std::vector<int32_t> tokens = requests[i].tokens;
    tokens.insert(tokens.end(), sampled.tokens.begin(), sampled.tokens.end());
    const std::vector<float> scores = test::scores_of(machine.trainer, tokens, 1);
    const std::vector<float> own(scores.begin() + 12, scores.end());
    EXPECT_LT(relative_error(sampled.model_logprobs, own), 1e-4);
    for (size_t j = 0; j < sampled.tokens.size(); ++j) {
      ASSERT_EQ(sampled.tops[j].size(), i < 2 ? 0u : 3u);
      if (i == 3) {
        EXPECT_EQ(sampled.tops[j][0].token, sampled.tokens[j]);
      }
    }
  }
  EXPECT_NE(player[2].tokens, player[0].tokens);
  EXPECT_NE(player[3].tokens, player[1].tokens);
}

TEST_F(CudaGenerating, ReportsTheTrainersLogprobs) {
  expect_the_trainers_logprobs<float>(64, KeyValueFormat::plain, 1e-4);
  expect_the_trainers_logprobs<float>(8, KeyValueFormat::plain, 1e-4);
  expect_the_trainers_logprobs<bf16>(64, KeyValueFormat::plain, 3e-2);
  expect_the_trainers_logprobs<bf16>(8, KeyValueFormat::plain, 3e-2);
  expect_the_trainers_logprobs<bf16>(64, KeyValueFormat::fp8, 0.2);
  EXPECT_GT(calls("cuGraphLaunch"), 10) << "steps are played again";
}

/** The CPU's generator draws the same tokens from the same seed. */
TEST_F(CudaGenerating, InFloatSamplesTheCpusTokens) {
  test::SmallModel like(config_of());
  CudaModel<float> machine(like.model);
  CudaPlayer<float> player(machine);
  std::mt19937 random(5);
  for (uint64_t name : {1, 2, 3}) {
    const auto request = request_of(random_tokens(random, static_cast<int>(9 * name)), 12, name);
    player.generator.submit(name, request, 1);
    player.run();
    EXPECT_EQ(player[name].tokens, test::alone(like, request).tokens);
  }
}

TEST_F(CudaGenerating, BitsOfASequenceDoNotDependOnOtherSequences) {
  test::SmallModel like(config_of());
  CudaModel<bf16> machine(like.model);
  std::mt19937 random(7);
  const auto prompt = random_tokens(random, 21);
  const auto watched = request_of(prompt, 10, 1);
  CudaPlayer<bf16> lonely(machine), crowded(machine);
  lonely.generator.submit(1, watched, 1);
  lonely.run();
  // Siblings share the pages of its prompt; the other sequences have prompts of their own.
  crowded.generator.submit(2, request_of(random_tokens(random, 40), 30, 2), 1);
  crowded.generator.step();
  crowded.generator.submit(10, request_of(prompt, 25, 5), 3);
  crowded.generator.submit(1, watched, 1);
  crowded.run();
  EXPECT_EQ(crowded[1], lonely[1]);
}

TEST_F(CudaGenerating, ASequenceContinuesAfterItsEndAndAfterLackOfMemory) {
  test::SmallModel like(config_of());
  CudaModel<bf16> machine(like.model);
  std::mt19937 random(9);
  const auto first = request_of(random_tokens(random, 20), 6, 1), second = request_of(random_tokens(random, 5), 6, 1);
  GeneratorOptions few = options_of<bf16>();
  few.kv_bytes = 8 * machine.generate->page_bytes({4, 2, 64}, KeyValueFormat::plain) * 2;
  CudaPlayer<bf16> roomy(machine), narrow(machine, few);
  for (CudaPlayer<bf16>* player : {&roomy, &narrow}) {
    player->generator.submit(1, first, 1);
    player->generator.submit(2, request_of(random_tokens(random, 60), 40, 2), 1);
    player->run();
    player->extend(1, second);
    player->run();
  }
  EXPECT_GT(narrow.generator.statistics().prefilled_tokens, roomy.generator.statistics().prefilled_tokens);
  EXPECT_EQ(narrow[1], roomy[1]);
  EXPECT_EQ(roomy[1].tokens.size(), 12u);
}

}  // namespace
}  // namespace palestra::cuda
