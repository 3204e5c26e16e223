// The trainer's public behaviour: learning, refused arguments, dropped gradients, and checkpoints.
#include <cstring>

#include "model/weights/lora.h"
#include "tiny-models.h"

namespace palestra::test {
namespace {

constexpr AdamW rule = {0.02f, 0.9f, 0.99f, 1e-8f, 0, 0, 1};

struct TrainerTest : public ::testing::Test {
  const Pack pack = random_pack({9, 11}, 13, 5);
  const std::vector<float> ones = std::vector<float>(20, 1.0f);
  LossInputs weighted = {};
  TrainerTest() { weighted.weight = ones.data(); }

  template <class Action>
  void expect_failure(Code code, const std::string& part, Action&& action) {
    try {
      action();
      ADD_FAILURE() << "expected a failure: " << part;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), code) << failure.what();
      EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
    }
  }
};

TEST_F(TrainerTest, OverfitsOneBatch) {
  for (const TinyModel& model : tiny_models()) {
    Rig<float> rig(model.config, {32, Recompute::layer, {}});
    double loss = 0, tokens = 1;
    for (int i = 0; i < 300; ++i) {
      const LossStatistics statistics = rig.accumulate(pack, Loss{}, weighted);
      loss = statistics.loss;
      tokens = statistics.tokens;
      rig.step(rule, 1);
    }
    EXPECT_LT(loss / tokens, 0.02) << model.name;
  }
}

TEST_F(TrainerTest, AdaptersOverfitBesideAFrozenBase) {
  LoraConfig lora;
  lora.rank = 8;
  lora.alpha = 16;
  lora.targets = 0x7f;
  Rig<float> rig(tiny_llama(), {32, Recompute::none, lora});
  const std::vector<float> before = rig.score(pack);
  Rig<float> plain(tiny_llama());
  EXPECT_EQ(before, plain.score(pack));  // b starts at zero
  for (int i = 0; i < 400; ++i) {
    rig.accumulate(pack, Loss{}, weighted);
    rig.step(rule, 1);
  }
  // The frozen head limits the logits of normed states, and with them the model's confidence.
  const LossStatistics end = rig.accumulate(pack, Loss{}, weighted);
  EXPECT_LT(end.loss / end.tokens, 0.5);
  EXPECT_GT(plain.accumulate(pack, Loss{}, weighted).loss / end.tokens, 2);
  const size_t size = rig.model.parameters().arena_size();
  EXPECT_EQ(std::memcmp(rig.model.data(), plain.model.data(), size * sizeof(float)), 0);

  // Merged into the base, the adapters give the same results.
  for (const Parameter& parameter : plain.model.parameters().all()) {
    rig.trainer->adapters()->merge(parameter.name, plain.model.data() + parameter.offset);
  }
  const std::vector<float> merged = plain.score(pack), unmerged = rig.score(pack);
  for (size_t i = 0; i < merged.size(); ++i) EXPECT_NEAR(merged[i], unmerged[i], 1e-4);
}

/** Adapters away from zero, where dropout changes the results. */
struct Dropping : public TrainerTest {
  const LoraConfig lora = {4, 8, 0x7f, 3, 0.5f};
  std::unique_ptr<Rig<float>> rig_of(float dropout, Recompute recompute = Recompute::none, uint64_t seed = 3) const {
    LoraConfig own = lora;
    own.dropout = dropout;
    own.seed = seed;
    auto rig = std::make_unique<Rig<float>>(tiny_llama(), TrainerOptions{32, recompute, own});
    for (const StateSpan& span : rig->trainer->state()) {
      if (span.name.find("lora_") == std::string::npos || span.name.find("weights/") != 0) continue;
      const auto values = random_values<float>(span.bytes / sizeof(float), 9, 0.3);
      std::memcpy(span.data, values.data(), span.bytes);
    }
    rig->trainer->refresh();
    return rig;
  }
  std::vector<float> gradients_of(Rig<float>& rig, const Pack& given) {
    rig.accumulate(given, Loss{}, weighted);
    const auto gradients = rig.gradients();
    std::vector<float> values(gradients.begin(), gradients.end());
    rig.zero_gradients();
    return values;
  }
};

TEST_F(Dropping, RecomputedActivationsHaveTheSameMask) {
  const auto kept = rig_of(0.5f), recomputed = rig_of(0.5f, Recompute::layer);
  EXPECT_EQ(gradients_of(*kept, pack), gradients_of(*recomputed, pack));
}

TEST_F(Dropping, TheMaskDependsOnSeedAndStepAndScoresHaveNone) {
  const auto plain = rig_of(0), dropping = rig_of(0.5f), other = rig_of(0.5f, Recompute::none, 4);
  EXPECT_EQ(plain->score(pack), dropping->score(pack));
  const std::vector<float> first = gradients_of(*dropping, pack);
  EXPECT_EQ(first, gradients_of(*dropping, pack));
  EXPECT_NE(first, gradients_of(*plain, pack));
  EXPECT_NE(first, gradients_of(*other, pack));
  dropping->trainer->steps() += 1;
  EXPECT_NE(first, gradients_of(*dropping, pack));
}

TEST_F(Dropping, ASequenceHasTheSameMaskInEveryPack) {
  const int cut = pack.starts[1], end = pack.starts[2];
  const auto part = [&](int from, int to) -> Pack {
    return {{pack.tokens.begin() + from, pack.tokens.begin() + to}, {0, to - from},
            {pack.mask.begin() + from, pack.mask.begin() + to}};
  };
  const auto rig = rig_of(0.5f);
  const std::vector<float> whole = gradients_of(*rig, pack);
  const std::vector<float> one = gradients_of(*rig, part(0, cut)), two = gradients_of(*rig, part(cut, end));
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], one[i] + two[i], 1e-4) << i;
}

TEST_F(Dropping, ASharedPrefixHasTheSameMask) {
  const std::vector<int32_t> prefix = {3, 1, 4, 1}, one = {5, 9, 2}, two = {6, 5, 3, 5};
  const auto joined = [](std::vector<int32_t> a, const std::vector<int32_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  Pack shared = {joined(joined(prefix, one), two), {0, 4, 7, 11}, {0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1}, {-1, 0, 0}};
  auto rig = rig_of(0.5f);
  const std::vector<float> whole = gradients_of(*rig, shared);
  const std::vector<float> first = gradients_of(*rig, {joined(prefix, one), {0, 7}, {0, 0, 0, 0, 0, 1, 1}});
  const std::vector<float> second = gradients_of(*rig, {joined(prefix, two), {0, 8}, {0, 0, 0, 0, 0, 1, 1, 1}});
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], first[i] + second[i], 1e-4) << i;
}

TEST_F(TrainerTest, ScoresEqualThoseOfASoftmax) {
  Rig<double> rig(tiny_llama());
  Pack every = random_pack({5}, 13, 1);
  std::fill(every.mask.begin(), every.mask.end(), 1);
  // The probabilities of all possible last tokens add up to one, and give the entropy.
  double total = 0, entropy = 0;
  std::vector<float> logprob(5), told(5);
  for (int32_t token = 0; token < 13; ++token) {
    every.tokens[4] = token;
    run(*rig.trainer->score(every, 0.7f, {logprob.data(), told.data(), nullptr}, ignore));
    total += std::exp(logprob[4]);
    entropy -= std::exp(logprob[4]) * logprob[4];
  }
  EXPECT_NEAR(total, 1, 1e-6);
  EXPECT_NEAR(entropy, told[4], 1e-5);
  EXPECT_EQ(logprob[0], 0);
}

TEST_F(TrainerTest, MaskedTokensAreNotScored) {
  Rig<float> rig(tiny_llama());
  const std::vector<float> logprob = rig.score(pack);
  for (size_t t = 0; t < logprob.size(); ++t) {
    const bool first = t == 0 || t == 9;
    EXPECT_EQ(logprob[t] != 0, pack.mask[t] && !first) << t;
  }
}

TEST_F(TrainerTest, RefusesInvalidPacks) {
  Rig<float> rig(tiny_llama(), {20, Recompute::none, {}});
  const auto refuse = [&](const std::string& part, const std::function<void(Pack&)>& spoil) {
    Pack bad = pack;
    spoil(bad);
    expect_failure(Code::invalid_argument, part, [&] { rig.score(bad); });
  };
  refuse("token ids from 0 to 12 but received 13", [](Pack& p) { p.tokens[3] = 13; });
  refuse("but received -1", [](Pack& p) { p.tokens[3] = -1; });
  refuse("1 to 64 tokens in sequence 0", [](Pack& p) { p.starts = {0, 0, 20}; });
  refuse("tokens in sequence 1", [](Pack& p) { p.starts = {0, 15, 10, 20}; });
  refuse("start at 0", [](Pack& p) { p.starts[0] = 1; });
  refuse("end at 20", [](Pack& p) { p.starts[2] = 19; });
  refuse("pack of 1 to 20 tokens but received 21", [](Pack& p) { p.tokens.push_back(0); });
  refuse("but received 0", [](Pack& p) { p = {{}, {0}, {}}; });
  ModelConfig short_context = tiny_llama();
  short_context.max_position_embeddings = 10;
  Rig<float> brief(short_context);
  expect_failure(Code::invalid_argument, "1 to 10 tokens in sequence 1 but received 11", [&] { brief.score(pack); });
}

TEST_F(TrainerTest, RefusesLossesWithoutTheirInputs) {
  Rig<float> rig(tiny_llama());
  Loss loss;
  loss.policy = Policy::ppo;
  expect_failure(Code::invalid_argument, "`advantage`", [&] { rig.accumulate(pack, loss, weighted); });
  LossInputs inputs = weighted;
  inputs.advantage = ones.data();
  expect_failure(Code::invalid_argument, "`proximal`", [&] { rig.accumulate(pack, loss, inputs); });
  std::vector<float> broken = ones;
  for (size_t t = 0; t < broken.size(); ++t) {
    if (pack.mask[t]) broken[t] = NAN;
  }
  inputs.proximal = broken.data();
  expect_failure(Code::not_finite, "finite `proximal`", [&] { rig.accumulate(pack, loss, inputs); });
}

TEST_F(TrainerTest, CancelledPassesDropTheGradients) {
  Rig<float> rig(tiny_models()[1].config);
  rig.accumulate(pack, Loss{}, weighted);
  ASSERT_GT(inner_product(rig.gradients(), rig.gradients()), 0);
  for (int jobs : {0, 1, 4, 6}) {
    rig.accumulate(pack, Loss{}, weighted);
    std::exception_ptr told;
    const auto work = rig.trainer->accumulate(pack, Loss{}, weighted, nullptr, [&](std::exception_ptr e) { told = e; });
    for (int i = 0; i < jobs; ++i) ASSERT_TRUE(work->advance());
    work->finish(std::make_exception_ptr(Failure(Code::cancelled, "cancelled")));
    EXPECT_TRUE(told);
    EXPECT_EQ(inner_product(rig.gradients(), rig.gradients()), 0) << jobs;
  }
}

TEST_F(TrainerTest, ReportsAModelWithNonFiniteResults) {
  Rig<float> rig(tiny_llama());
  rig.accumulate(pack, Loss{}, weighted);
  rig.model.data()[rig.model.parameters().find("model.layers.1.mlp.up_proj.weight")->offset + 5] = NAN;
  expect_failure(Code::not_finite, "up_proj.weight", [&] { rig.model.check_finite(); });
  expect_failure(Code::not_finite, "log-probability", [&] { rig.accumulate(pack, Loss{}, weighted); });
  EXPECT_EQ(inner_product(rig.gradients(), rig.gradients()), 0);
}

TEST_F(TrainerTest, TheStateSufficesForAResume) {
  LoraConfig lora;
  lora.rank = 2;
  lora.alpha = 2;
  lora.targets = 0x11;
  ModelConfig config = tiny_models()[1].config;
  config.value_head = true;
  LoraConfig dropping = lora;
  dropping.dropout = 0.3f;
  for (const LoraConfig& adapters : {LoraConfig{}, lora, dropping}) {
    Rig<float> rig(config, {32, Recompute::none, adapters}), resumed(config, {32, Recompute::none, adapters});
    const auto train = [&](Rig<float>& which, int steps) {
      for (int i = 0; i < steps; ++i) {
        which.accumulate(pack, Loss{}, weighted);
        which.step(rule, 1);
      }
    };
    train(rig, 3);
    train(resumed, 1);
    const auto from = rig.trainer->state(), to = resumed.trainer->state();
    ASSERT_EQ(from.size(), to.size());
    for (size_t i = 0; i < from.size(); ++i) {
      ASSERT_EQ(from[i].name, to[i].name);
      std::memcpy(to[i].data, from[i].data, from[i].bytes);
    }
    resumed.trainer->steps() = rig.trainer->steps();
    train(rig, 2);
    train(resumed, 2);
    EXPECT_EQ(rig.score(pack), resumed.score(pack));
  }
}

TEST_F(TrainerTest, MemoryIsPlannedOnce) {
  Rig<float> rig(tiny_llama());
  rig.accumulate(pack, Loss{}, weighted);
  const size_t used = rig.device.memory.used(), highest = rig.device.memory.highest_use();
  for (int i = 0; i < 3; ++i) {
    rig.accumulate(pack, Loss{}, weighted);
    rig.step(rule, 1);
  }
  EXPECT_EQ(rig.device.memory.used(), used);
  EXPECT_EQ(rig.device.memory.highest_use(), highest);
  rig.trainer.reset();
  EXPECT_LT(rig.device.memory.used(), used);
}

TEST_F(TrainerTest, OutOfMemoryLeaksNothing) {
  Device<float> device(1, detect_instruction_set(), 200000);
  Model<float> model(*device.ops, tiny_llama());
  const size_t used = device.memory.used();
  expect_failure(Code::out_of_memory, "", [&] {
    Trainer<float> trainer(*device.ops, model, {100000, Recompute::none, {}});
  });
  EXPECT_EQ(device.memory.used(), used);
}

}  // namespace
}  // namespace palestra::test
