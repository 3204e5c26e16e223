// A generator's guarantees: the trainer's log-probabilities bit for bit, samples that do not depend on other sequences,
// shared and freed pages, and weights that change in flight.
#include "generator-rig.h"

#include <cmath>
#include <limits>

namespace palestra {
namespace {

using namespace test;

std::vector<int32_t> joined(std::vector<int32_t> a, const std::vector<int32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TrainerOptions trainer_options(LoraConfig lora = {}) {
  TrainerOptions options{};
  options.max_tokens = 256;
  options.recompute = Recompute::none;
  options.lora = lora;
  return options;
}

/** Samples two turns of a few sequences and compares each token's log-probability with the trainer's, bit for bit. */
void expect_the_trainers_bits(SmallModel& tiny, Trainer<float>& trainer) {
  Player player(tiny, tiny_options(4, 9), trainer.adapters());
  std::mt19937 random(5);
  for (float temperature : {1.0f, 0.7f, 0.0f}) {
    const uint64_t first = static_cast<uint64_t>(temperature * 100) * 10;
    std::vector<std::vector<int32_t>> texts;
    for (int i = 0; i < 5; ++i) {
      texts.push_back(random_tokens(random, 1 + 11 * i));
      player.generator.submit(first + i, request_of(texts[i], 19, i, temperature), 1);
    }
    player.run();
    for (int i = 0; i < 5; ++i) {
      const std::vector<int32_t> more = random_tokens(random, i);
      std::vector<float> sampled = player[first + i].model_logprobs;
      std::vector<int32_t> tokens = player[first + i].tokens;
      const size_t turn = texts[i].size() + tokens.size() + more.size();
      player.extend(first + i, request_of(more, 10, i, temperature));
      player.run();
      const std::vector<int32_t> all = player[first + i].tokens;
      texts[i] = joined(joined(joined(texts[i], tokens), more), {all.begin() + tokens.size(), all.end()});
      const std::vector<float> scores = scores_of(trainer, texts[i], temperature == 0 ? 1 : temperature);
      sampled.insert(sampled.end(), scores.begin() + turn, scores.end());
      const size_t start = turn - more.size() - tokens.size();
      for (size_t j = 0; j < tokens.size(); ++j) EXPECT_EQ(sampled[j], scores[start + j]) << "first turn, token " << j;
      EXPECT_EQ(player[first + i].model_logprobs, sampled) << "second turn";
      EXPECT_EQ(sampled.size(), 29u);
    }
  }
}

TEST(Generator, ReportsTheTrainersLogProbabilities) {
  for (InstructionSet isa : instruction_sets()) {
    ModelConfig llama = tiny_config();
    ModelConfig qwen2 = tiny_config();
    qwen2.qkv_bias = true;
    qwen2.tie_word_embeddings = false;
    ModelConfig qwen3 = tiny_config();
    qwen3.qk_norm = true;
    qwen3.head_dim = 16;
    for (const ModelConfig& config : {llama, qwen2, qwen3}) {
      SmallModel tiny(config, 2, isa);
      Trainer<float> trainer(*tiny.device.ops, tiny.model, trainer_options());
      expect_the_trainers_bits(tiny, trainer);
    }
  }
}

TEST(Generator, InDoubleReportsTheTrainersLogProbabilities) {
  Device<double> device;
  Model<double> model(*device.ops, tiny_config());
  model.initialise(2);
  Trainer<double> trainer(*device.ops, model, trainer_options());
  PlayerOf<double> player(*device.ops, model, tiny_options(), nullptr);
  std::vector<int32_t> tokens = {3, 1, 4, 1, 5};
  player.generator.submit(1, request_of(tokens, 20), 3);
  player.run();
  tokens.insert(tokens.end(), player[2].tokens.begin(), player[2].tokens.end());
  const std::vector<float> scores = scores_of(trainer, tokens, 1);
  EXPECT_EQ(player[2].model_logprobs, std::vector<float>(scores.begin() + 5, scores.end()));
}

TEST(Generator, AppliesAdaptersLikeTheTrainer) {
  SmallModel tiny;
  LoraConfig lora;
  lora.rank = 3;
  lora.alpha = 6;
  lora.targets = 0x7f;
  Trainer<float> trainer(*tiny.device.ops, tiny.model, trainer_options(lora));
  const Adapters<float>& adapters = *trainer.adapters();
  for (const Parameter& parameter : adapters.parameters()) {
    const std::vector<float> values = random_values<float>(parameter.size(), 3, 0.3);
    std::copy(values.begin(), values.end(), adapters.data() + parameter.offset);
  }
  expect_the_trainers_bits(tiny, trainer);
  const Request request = request_of({1, 2, 3}, 8);
  Player adapted(tiny, tiny_options(), &adapters);
  adapted.generator.submit(1, request, 1);
  adapted.run();
  EXPECT_NE(adapted[1].model_logprobs, alone(tiny, request).model_logprobs);
}

TEST(Generator, SamplesDoNotDependOnOtherSequences) {
  SmallModel tiny(tiny_config(), 2);
  std::mt19937 random(1);
  std::vector<Request> requests;
  std::vector<Sampled> expected;
  for (int i = 0; i < 12; ++i) {
    const int length = 1 + static_cast<int>(random() % 60);
    requests.push_back(request_of(random_tokens(random, length), 5 + i, i, 0.3f * (i % 4)));
    if (i % 3 == 1) requests.back().sampling.top_k = 5;
    if (i % 3 == 2) requests.back().sampling.top_p = 0.8f;
    expected.push_back(alone(tiny, requests.back(), tiny_options(1, 200)));
    EXPECT_EQ(expected.back().tokens.size(), 5u + i);
  }
  for (const auto& [max_sequences, max_rows] : {std::pair{12, 12}, {3, 7}, {1, 1}, {12, 500}}) {
    std::vector<int> order(requests.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::shuffle(order.begin(), order.end(), random);
    Player player(tiny, tiny_options(max_sequences, max_rows));
    for (int i : order) {
      player.generator.submit(i, requests[i], 1);
      for (unsigned steps = random() % 4; steps-- > 0;) player.generator.step();
    }
    player.run();
    for (size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(player[i], expected[i]) << "request " << i;
  }
}

TEST(Generator, SamplesOfAPromptShareItsPages) {
  SmallModel tiny;
  std::mt19937 random(2);
  for (int length : {1, 2, 16, 17, 50}) {
    const Request request = request_of(random_tokens(random, length), 12, 4);
    Player player(tiny, tiny_options(6, 24));
    player.generator.submit(10, request, 6);
    player.run();
    for (int i = 0; i < 6; ++i) {
      Request one = request;
      one.stream = request.stream + i;
      EXPECT_EQ(player[10 + i], alone(tiny, one)) << "sample " << i << " of a prompt of " << length;
    }
    // Whole pages of the prompt without its last token are held once; the rest once per sample.
    const int whole = (length - 1) / page_positions;
    const int each = (length + 11 + page_positions - 1) / page_positions - whole;
    const auto statistics = player.generator.statistics();
    EXPECT_EQ(statistics.pages - statistics.free_pages, whole + 6 * each) << "a prompt of " << length;
    EXPECT_EQ(statistics.shared_tokens, 5 * (length - 1));
    EXPECT_EQ(statistics.prefilled_tokens, length - 1);
    for (int i = 0; i < 6; ++i) player.generator.release(10 + i);
    EXPECT_EQ(player.generator.statistics().free_pages, statistics.pages);
    EXPECT_EQ(player.generator.statistics().kept, 0);
  }
}

TEST(Generator, LaterSequencesWithTheSameTokensShareThemToo) {
  SmallModel tiny;
  std::mt19937 random(6);
  const Request first = request_of(random_tokens(random, 40), 12);
  const auto of_stream = [&](uint64_t stream) {
    Request request = first;
    request.stream = stream;
    return request;
  };
  Player player(tiny, tiny_options(6, 24));
  player.generator.submit(0, first, 1);
  // In the middle of the prompt, in the middle of the answer, and after the end.
  for (uint64_t id : {1, 2, 3}) {
    player.generator.step();
    if (id == 2) player.generator.step();
    if (id == 3) player.run();
    player.generator.submit(id, of_stream(id), 1);
  }
  Request other = of_stream(4);
  other.tokens.back() = (other.tokens.back() + 1) % 61;
  player.generator.submit(4, other, 1);
  player.run();
  for (uint64_t id : {0, 1, 2, 3}) EXPECT_EQ(player[id], alone(tiny, of_stream(id))) << "sequence " << id;
  EXPECT_EQ(player[4], alone(tiny, other));
  EXPECT_EQ(player.generator.statistics().shared_tokens, 3 * 39);
  for (uint64_t id : {0, 1, 2, 3, 4}) player.generator.release(id);
  player.generator.submit(5, of_stream(5), 1);
  player.run();
  EXPECT_EQ(player[5], alone(tiny, of_stream(5)));
  EXPECT_EQ(player.generator.statistics().shared_tokens, 3 * 39) << "nobody is left to share with";
}

TEST(Generator, KeysAndValuesOfOlderWeightsAreNotShared) {
  SmallModel tiny;
  std::mt19937 random(7);
  const Request request = request_of(random_tokens(random, 40), 12);
  Player player(tiny, tiny_options(6, 24));
  player.generator.submit(0, request, 1);
  for (int i = 0; i < 4; ++i) player.generator.step();
  tiny.change(2);
  player.generator.update(OnUpdate::keep);
  player.generator.submit(1, request, 2);
  player.run();
  Request second = request;
  second.stream = 1;
  EXPECT_EQ(player[1], alone(tiny, request));
  EXPECT_EQ(player[2], alone(tiny, second));
  EXPECT_EQ(player.generator.statistics().shared_tokens, 39) << "with each other they do";
}

TEST(Generator, SiblingsContinueWhenTheFirstIsLost) {
  SmallModel tiny;
  std::mt19937 random(3);
  const Request request = request_of(random_tokens(random, 70), 6);
  for (int steps = 0; steps < 8; ++steps) {
    Player player(tiny, tiny_options(4, 10));
    player.generator.submit(0, request, 3);
    for (int i = 0; i < steps; ++i) player.generator.step();
    player.generator.release(0);
    player.run();
    for (int i = 1; i < 3; ++i) {
      Request one = request;
      one.stream = i;
      EXPECT_EQ(player[i], alone(tiny, one));
    }
  }
}

TEST(Generator, TurnsContinueFromKeptKeysAndValues) {
  SmallModel tiny;
  std::mt19937 random(4);
  const std::vector<int32_t> prompt = random_tokens(random, 20), more = random_tokens(random, 7);
  Player player(tiny);
  player.generator.submit(1, request_of(prompt, 9), 1);
  player.run();
  const std::vector<int32_t> first = player[1].tokens;
  const int64_t prefilled = player.generator.statistics().prefilled_tokens;
  player.extend(1, request_of(more, 9));
  player.run();
  EXPECT_EQ(player.generator.statistics().prefilled_tokens - prefilled, 7) << "the last sampled token and six of seven";
  const Sampled whole = alone(tiny, request_of(joined(joined(prompt, first), more), 9));
  EXPECT_EQ(std::vector<int32_t>(player[1].tokens.begin() + 9, player[1].tokens.end()), whole.tokens);
  EXPECT_EQ(std::vector<float>(player[1].model_logprobs.begin() + 9, player[1].model_logprobs.end()),
            whole.model_logprobs);
}

TEST(Generator, GreedyTakesTheMostProbable) {
  SmallModel tiny;
  Request request = request_of({8, 9}, 20, 0, 0);
  const Sampled greedy = alone(tiny, request);
  request.sampling = {1, 1, 1, 0};
  const Sampled top_one = alone(tiny, request);
  EXPECT_EQ(greedy.tokens, top_one.tokens);
  EXPECT_EQ(greedy.model_logprobs, top_one.model_logprobs);
  EXPECT_EQ(greedy.logprobs, std::vector<float>(20, 0.0f));
  EXPECT_EQ(top_one.logprobs, std::vector<float>(20, 0.0f));
}

TEST(Generator, LogProbabilitiesOfAnUncutDistributionEqualTheModels) {
  SmallModel tiny;
  const Sampled free = alone(tiny, request_of({1}, 30, 0, 0.8f));
  EXPECT_EQ(free.logprobs, free.model_logprobs);
  Request cut = request_of({1}, 30, 0, 0.8f);
  cut.sampling.top_k = 3;
  const Sampled of_three = alone(tiny, cut);
  for (size_t i = 0; i < of_three.tokens.size(); ++i) EXPECT_GT(of_three.logprobs[i], of_three.model_logprobs[i]);
}

TEST(Generator, PreemptionDoesNotChangeSamples) {
  SmallModel tiny;
  std::mt19937 random(6);
  for (int pages : {9, 12, 17}) {
    Player player(tiny, tiny_options(8, 20, pages));
    std::vector<Request> requests;
    for (int i = 0; i < 10; ++i) {
      requests.push_back(request_of(random_tokens(random, 1 + static_cast<int>(random() % 40)), 60, 100 * i));
      player.generator.submit(10 * i, requests[i], 1 + i % 3);
    }
    player.run();
    EXPECT_GT(player.generator.statistics().preemptions, 0);
    for (int i = 0; i < 10; ++i) {
      for (int j = 0; j < 1 + i % 3; ++j) {
        Request one = requests[i];
        one.stream += j;
        EXPECT_EQ(player[10 * i + j], alone(tiny, one)) << pages << " pages, request " << i << ", sample " << j;
      }
    }
    for (const auto& entry : player.sequences) player.generator.release(entry.first);
    EXPECT_EQ(player.generator.statistics().free_pages, pages);
  }
}

TEST(Generator, AnUpdateThatRecomputesEqualsAFreshGenerator) {
  SmallModel tiny;
  std::mt19937 random(7);
  const std::vector<int32_t> prompt = random_tokens(random, 37);
  for (int steps : {0, 1, 3, 12}) {
    tiny.change(1);
    Player player(tiny, tiny_options(4, 16));
    const Request request = request_of(prompt, 20, 1);
    player.generator.submit(0, request, 2);
    for (int i = 0; i < steps; ++i) player.generator.step();
    tiny.change(2);
    player.generator.update(OnUpdate::recompute);
    EXPECT_EQ(player.generator.statistics().version, 2);
    player.run();
    for (int i = 0; i < 2; ++i) {
      const Sampled& sampled = player[i];
      const auto before = std::count(sampled.versions.begin(), sampled.versions.end(), 1);
      EXPECT_TRUE(std::is_sorted(sampled.versions.begin(), sampled.versions.end()));
      Request rest = request;
      rest.stream += i;
      rest.tokens.insert(rest.tokens.end(), sampled.tokens.begin(), sampled.tokens.begin() + before);
      rest.max_new_tokens -= static_cast<int>(before);
      const Sampled fresh = alone(tiny, rest);
      EXPECT_EQ(std::vector<int32_t>(sampled.tokens.begin() + before, sampled.tokens.end()), fresh.tokens);
      EXPECT_EQ(std::vector<float>(sampled.model_logprobs.begin() + before, sampled.model_logprobs.end()),
                fresh.model_logprobs);
    }
  }
}

TEST(Generator, UpdateMayKeepKeysAndValues) {
  SmallModel tiny;
  Player kept(tiny), same(tiny);
  const Request request = request_of({5, 6, 7, 8}, 20);
  for (Player* player : {&kept, &same}) {
    player->generator.submit(0, request, 1);
    for (int i = 0; i < 6; ++i) player->generator.step();
  }
  same.generator.update(OnUpdate::keep);
  same.run();
  EXPECT_EQ(same[0], alone(tiny, request)) << "the same weights change nothing";

  const int64_t prefilled = kept.generator.statistics().prefilled_tokens;
  tiny.change(2);
  kept.generator.update(OnUpdate::keep);
  kept.run();
  EXPECT_EQ(kept.generator.statistics().prefilled_tokens, prefilled) << "nothing is computed again";
  EXPECT_EQ(std::count(kept[0].versions.begin(), kept[0].versions.end(), 2), 14);
  // The first token after the update comes from new weights over old keys and values.
  Request rest = request;
  rest.tokens.insert(rest.tokens.end(), kept[0].tokens.begin(), kept[0].tokens.begin() + 6);
  EXPECT_NE(kept[0].model_logprobs[6], alone(tiny, rest).model_logprobs[0]);
}

TEST(Generator, TrainingHasNoEffectBeforeTheUpdate) {
  SmallModel tiny;
  const Request request = request_of({5, 6, 7, 8}, 20);
  const Sampled expected = alone(tiny, request);
  Player player(tiny);
  player.generator.submit(0, request, 1);
  player.generator.step();
  tiny.change(9);
  player.run();
  EXPECT_EQ(player[0], expected);
  EXPECT_EQ(player[0].versions, std::vector<int64_t>(20, 1));
}

TEST(Generator, RowsSampledOnSeveralThreadsAreTheSame) {
  ModelConfig config = tiny_config();
  config.vocab_size = 4099;
  SmallModel one(config, 1), three(config, 3);
  Player alone(one), shared(three);
  for (Player* player : {&alone, &shared}) {
    for (uint64_t id = 0; id < 8; ++id) {
      Request request = request_of({static_cast<int32_t>(id), 9}, 12, id, id % 3 == 0 ? 0 : 1.2f);
      request.sampling.top_p = id % 2 == 0 ? 1 : 0.9f;
      player->generator.submit(id, request, 1);
    }
    player->run();
  }
  EXPECT_EQ(alone.sequences, shared.sequences);
}

TEST(Generator, Bfloat16WeightsGiveCloseResults) {
  SmallModel tiny;
  GeneratorOptions options = tiny_options();
  options.weights = Dtype::bf16;
  const Request request = request_of({5, 6, 7}, 1, 0, 0);
  EXPECT_NEAR(alone(tiny, request, options).model_logprobs[0], alone(tiny, request).model_logprobs[0], 0.1);
}

}  // namespace
}  // namespace palestra
