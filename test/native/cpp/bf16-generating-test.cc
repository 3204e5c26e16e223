// Generation in bf16 on a stream of its own beside training: the trainer's bits, replayed steps, and weights that are
// handed over in order.
#include "lazy-rig.h"

namespace palestra::test {
namespace {

GeneratorOptions bf16_options(int max_sequences = 8, int max_rows = 32) {
  GeneratorOptions options = tiny_options(max_sequences, max_rows);
  options.weights = Dtype::bf16;
  return options;
}

struct LazyPlayer : PlayerOf<bf16> {
  explicit LazyPlayer(LazyRig& rig, const GeneratorOptions& options = bf16_options())
      : PlayerOf(rig.generate_ops, rig.model, options, rig.trainer->adapters()) {}
};

const std::vector<int> prompts = {1, 5, 16, 17, 3, 40, 2};

void submit_all(LazyPlayer& player) {
  std::mt19937 random(3);
  for (size_t i = 0; i < prompts.size(); ++i) {
    Request request = request_of(random_tokens(random, prompts[i]), 12 + static_cast<int>(i), i, i == 2 ? 0.0f : 0.7f);
    if (i == 4) request.sampling.top_p = 0.8f;
    player.generator.submit(10 * i, request, i % 2 ? 2 : 1);
  }
  player.run();
}

TEST(Bf16Generating, LogprobsEqualTheTrainersBitForBit) {
  ModelConfig qwen = tiny_config();
  qwen.qk_norm = true;
  for (const LoraConfig& lora : {LoraConfig{}, LoraConfig{2, 4, 0x7f, 5}}) {
    SmallModel like(qwen);
    LazyRig rig(like.model, {160, Recompute::none, lora});
    LazyPlayer player(rig);
    submit_all(player);
    std::mt19937 random(3);
    for (size_t i = 0; i < prompts.size(); ++i) {
      std::vector<int32_t> tokens = random_tokens(random, prompts[i]);
      const Sampled& sampled = player[10 * i];
      tokens.insert(tokens.end(), sampled.tokens.begin(), sampled.tokens.end());
      const std::vector<float> scores = scores_of(*rig.trainer, tokens, i == 2 ? 1.0f : 0.7f);
      EXPECT_EQ(sampled.model_logprobs, std::vector<float>(scores.begin() + prompts[i], scores.end())) << i;
      EXPECT_EQ(sampled.tokens.size(), 12 + i);
    }
  }
}

TEST(Bf16Generating, ReplayedStepsGiveTheSameTokens) {
  SmallModel like;
  LazyRig plain(like.model, {160, Recompute::none, {}}, false), recorded(like.model, {160, Recompute::none, {}}, true);
  LazyPlayer expected(plain), player(recorded);
  submit_all(expected);
  submit_all(player);
  EXPECT_EQ(plain.generate_ops.queue().recorded, 0);
  const LazyQueue& queue = recorded.generate_ops.queue();
  EXPECT_GT(queue.recorded, 1) << "numbers of sequences differ";
  EXPECT_LE(queue.recorded, 6) << "1, 2, 3, 4, 6 or 8 rows";
  EXPECT_GT(queue.replayed, 5);
  for (const auto& [id, sampled] : expected.sequences) EXPECT_EQ(player[id], sampled) << id;

  // First the other arena's recordings, then those of the first one again.
  const size_t used = recorded.memory.used();
  for (int round = 0; round < 2; ++round) {
    const int before = queue.recorded;
    player.generator.update(OnUpdate::recompute);
    for (auto& [id, sampled] : player.sequences) player.generator.release(id);
    player.sequences.clear();
    submit_all(player);
    for (const auto& [id, sampled] : expected.sequences) EXPECT_EQ(player[id], sampled) << id << " in round " << round;
    EXPECT_EQ(queue.recorded > before, round == 0);
  }
  EXPECT_EQ(recorded.memory.used(), used) << "all memory is planned before the first step";
}

/** Accumulates the gradients of a pack and makes a step; waits only for the norm. */
void train(LazyRig& rig) {
  rig.accumulate(random_pack({9, 11}, 61, 5));
  rig.step({0.02f, 0.9f, 0.999f, 1e-8f, 0.1f, 0, 1});
  EXPECT_FALSE(rig.ops.is_done());
}

TEST(Bf16Generating, TakesOverQueuedWritesOfTraining) {
  SmallModel like;
  LazyRig early(like.model), late(like.model), at_rest(like.model);
  LazyPlayer before(early), updated(late);
  submit_all(before);
  train(late);
  updated.generator.update(OnUpdate::keep);
  submit_all(updated);

  train(at_rest);
  at_rest.ops.queue().finish();
  LazyPlayer expected(at_rest);
  submit_all(expected);
  for (const auto& [id, sampled] : expected.sequences) {
    EXPECT_EQ(updated[id], sampled) << id;
    EXPECT_EQ(updated[id].versions.back(), 1);
  }
  EXPECT_FALSE(before[0] == expected[0]) << "the step changed something";
}

TEST(Bf16Generating, KeepsItsWeightsDuringTraining) {
  SmallModel like;
  LazyRig rig(like.model), other(like.model);
  LazyPlayer player(rig), expected(other);
  for (LazyRig* one : {&rig, &other}) train(*one);
  player.generator.update(OnUpdate::keep);
  expected.generator.update(OnUpdate::keep);
  submit_all(expected);
  // The second step runs before the copy of the first one's weights is awaited.
  train(rig);
  rig.ops.queue().finish();
  submit_all(player);
  for (const auto& [id, sampled] : expected.sequences) EXPECT_EQ(player[id], sampled) << id;
}

TEST(Bf16Generating, RequiresWeightsInTheTypeOfTheActivations) {
  SmallModel like;
  LazyRig rig(like.model);
  EXPECT_THROW(LazyPlayer(rig, tiny_options()), Failure);
}

/** Results do not depend on the number of rows whose logits exist at a time. */
TEST(Bf16Generating, ResultsDoNotDependOnChunksOfLogits) {
  SmallModel like;
  LazyRig one(like.model), other(like.model);
  const GeneratorOptions many = bf16_options(80, 96);
  one.generate_ops.bytes_of_logits = 1;
  LazyPlayer few_rows(one, many), all_rows(other, many);
  for (LazyPlayer* player : {&few_rows, &all_rows}) {
    player->generator.submit(0, request_of({1, 2, 3}, 6), 75);
    player->run();
  }
  EXPECT_EQ(all_rows.sequences.size(), 75u);
  for (const auto& [id, sampled] : all_rows.sequences) EXPECT_EQ(few_rows[id], sampled) << id;
}

}  // namespace
}  // namespace palestra::test
