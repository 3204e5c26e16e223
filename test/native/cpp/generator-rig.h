#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "device.h"
#include "generate/generator.h"
#include "model/trainer/trainer.h"

namespace palestra::test {

inline ModelConfig tiny_config() {
  ModelConfig config{};
  config.vocab_size = 61;
  config.hidden_size = 32;
  config.intermediate_size = 40;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.max_position_embeddings = 160;
  config.rms_norm_eps = 1e-6f;
  config.rope_theta = 10000;
  config.tie_word_embeddings = true;
  return config;
}

/** Everything that a sequence has sampled over all its requests. */
struct Sampled {
  std::vector<int32_t> tokens;
  std::vector<float> logprobs;
  std::vector<float> model_logprobs;
  std::vector<int64_t> versions;
  std::vector<std::vector<TopToken>> tops;
  Finish finish = Finish::none;
  int ends = 0;

  /** Equal tokens with equal bits. */
  bool operator==(const Sampled& other) const {
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    return tokens == other.tokens && same(logprobs, other.logprobs) && same(model_logprobs, other.model_logprobs) &&
           finish == other.finish;
  }
};

inline void PrintTo(const Sampled& sampled, std::ostream* out) {
  *out << "finish " << static_cast<int>(sampled.finish) << ", tokens";
  for (size_t i = 0; i < sampled.tokens.size(); ++i) {
    *out << ' ' << sampled.tokens[i] << '/' << sampled.model_logprobs[i];
  }
}

/** A small random model whose distributions are far from flat. */
struct SmallModel {
  explicit SmallModel(ModelConfig config = tiny_config(), int threads = 1,
                     InstructionSet isa = detect_instruction_set())
      : device(threads, isa, size_t{256} << 20), model(*device.ops, config) {
    change(1);
  }
  /** Draws other weights from the seed. */
  void change(uint64_t seed) {
    model.initialise(seed);
    for (const Parameter& parameter : model.parameters().all()) {
      float* const values = model.data() + parameter.offset;
      const bool bias = parameter.name.find(".bias") != std::string::npos;
      const std::vector<float> noise = random_values<float>(parameter.size(), static_cast<uint32_t>(seed), 0.2);
      const float factor = parameter.vector ? 1 : 9;
      for (size_t i = 0; i < parameter.size(); ++i) values[i] = bias ? noise[i] : values[i] * factor;
    }
    model.refresh();
    model.version = static_cast<int64_t>(seed);
  }

  Device<float> device;
  Model<float> model;
};

inline GeneratorOptions tiny_options(int max_sequences = 8, int max_rows = 32, int pages = 400) {
  GeneratorOptions options;
  options.max_sequences = max_sequences;
  options.max_rows = max_rows;
  options.kv_bytes = static_cast<size_t>(pages) * 2 * 2 * 2 * 8 * page_positions * sizeof(float);
  return options;
}

/** A generator and all of its events. */
template <class T>
struct PlayerOf {
  PlayerOf(Ops<T>& ops, Model<T>& model, const GeneratorOptions& options, const Adapters<T>* adapters)
      : generator(ops, model, adapters, options, [this](const std::vector<Event>& events) { hear(events); }) {}

  void hear(const std::vector<Event>& events) {
    for (const Event& event : events) {
      Sampled& sampled = sequences[event.sequence];
      EXPECT_EQ(sampled.finish, Finish::none) << "sequence " << event.sequence << " went on after its end";
      if (event.token >= 0) {
        sampled.tokens.push_back(event.token);
        sampled.logprobs.push_back(event.logprob);
        sampled.model_logprobs.push_back(event.model_logprob);
        sampled.versions.push_back(event.version);
        sampled.tops.push_back(event.top);
      }
      sampled.finish = event.finish;
      sampled.ends += event.finish != Finish::none;
    }
  }
  void extend(uint64_t id, const Request& request) {
    sequences[id].finish = Finish::none;
    generator.extend(id, request);
  }
  void run() {
    while (generator.step()) {
    }
  }
  Sampled& operator[](uint64_t id) { return sequences[id]; }

  std::map<uint64_t, Sampled> sequences;
  Generator<T> generator;
};

struct Player : PlayerOf<float> {
  explicit Player(SmallModel& tiny, const GeneratorOptions& options = tiny_options(),
                  const Adapters<float>* adapters = nullptr)
      : PlayerOf(*tiny.device.ops, tiny.model, options, adapters) {}
};

inline std::vector<int32_t> random_tokens(std::mt19937& random, int count, int vocabulary = 61) {
  std::vector<int32_t> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(static_cast<int32_t>(random() % vocabulary));
  return tokens;
}

inline Request request_of(std::vector<int32_t> tokens, int max_new_tokens, uint64_t stream = 0, float temperature = 1) {
  Request request;
  request.tokens = std::move(tokens);
  request.max_new_tokens = max_new_tokens;
  request.sampling.temperature = temperature;
  request.seed = 77;
  request.stream = stream;
  return request;
}

/** Returns the samples of a request when nothing else runs. */
inline Sampled alone(SmallModel& tiny, const Request& request, const GeneratorOptions& options = tiny_options()) {
  Player player(tiny, options);
  player.generator.submit(1, request, 1);
  player.run();
  return player[1];
}

/** Returns the trainer's log-probabilities of all tokens of a sequence. */
template <class T>
std::vector<float> scores_of(Trainer<T>& trainer, const std::vector<int32_t>& tokens, float temperature) {
  Pack pack{tokens, {0, static_cast<int32_t>(tokens.size())}, std::vector<uint8_t>(tokens.size(), 1)};
  pack.mask[0] = 0;
  std::vector<float> logprobs(tokens.size());
  std::exception_ptr failure;
  const std::shared_ptr<Work> work =
      trainer.score(pack, temperature, {logprobs.data(), nullptr, nullptr}, [&](std::exception_ptr e) { failure = e; });
  while (work->advance()) {
  }
  work->finish(nullptr);
  EXPECT_EQ(failure, nullptr);
  return logprobs;
}

}  // namespace palestra::test
