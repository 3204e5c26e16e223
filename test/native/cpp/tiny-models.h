#pragma once
#include <cstring>
#include <ostream>

#include "device.h"
#include "model/trainer/trainer.h"

namespace palestra::test {

/** A decoder small enough for finite differences. */
struct TinyModel {
  const char* name;
  ModelConfig config;
};

inline std::ostream& operator<<(std::ostream& out, const TinyModel& model) { return out << model.name; }

inline ModelConfig tiny_llama() {
  ModelConfig config = {};
  config.vocab_size = 13;
  config.hidden_size = 12;
  config.intermediate_size = 20;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.max_position_embeddings = 64;
  config.rms_norm_eps = 1e-5f;
  config.rope_theta = 10000;
  return config;
}

inline std::vector<TinyModel> tiny_models() {
  const ModelConfig llama = tiny_llama();
  std::vector<TinyModel> models = {{"llama", llama}, {"llama_tied", llama}, {"llama3_rope", llama}, {"qwen2", llama},
                                   {"qwen3", llama}, {"critic", llama}};
  models[1].config.tie_word_embeddings = true;
  models[2].config.rope_scaling = RopeScaling::llama3;
  models[2].config.rope_factor = 8;
  models[2].config.rope_low_freq_factor = 1;
  models[2].config.rope_high_freq_factor = 4;
  models[2].config.rope_original_max_position_embeddings = 16;
  models[3].config.qkv_bias = true;
  models[3].config.tie_word_embeddings = true;
  models[4].config.qk_norm = true;
  models[4].config.num_key_value_heads = 4;
  models[5].config.value_head = true;
  return models;
}

/** Runs a work to its end, as the scheduler would. Throws its failure. */
inline void run(Work& work) {
  std::exception_ptr failure;
  try {
    while (work.advance()) {
    }
  } catch (const Failure&) {
    failure = std::current_exception();
  }
  work.finish(failure);
  if (failure) std::rethrow_exception(failure);
}

inline void ignore(std::exception_ptr) {}

/** A model, its trainer and their device. */
template <class T>
struct Rig {
  explicit Rig(const ModelConfig& config, TrainerOptions options = {32, Recompute::none, {}}, int threads = 1,
               InstructionSet isa = detect_instruction_set())
      : device(threads, isa), model(*device.ops, config) {
    model.initialise(7);
    // Norms, biases and heads differ from 1 and 0, and weights are large enough to matter.
    uint32_t seed = 100;
    for (const Parameter& parameter : model.parameters().all()) {
      const auto noise = random_values<T>(parameter.size(), seed++, parameter.vector ? 0.2 : 0.3);
      for (size_t i = 0; i < noise.size(); ++i) model.data()[parameter.offset + i] += noise[i];
    }
    model.refresh();
    trainer = std::make_unique<Trainer<T>>(*device.ops, model, options);
  }

  std::vector<float> score(const Pack& pack, float temperature = 1) {
    std::vector<float> logprob(pack.tokens.size());
    run(*trainer->score(pack, temperature, {logprob.data(), nullptr, nullptr}, ignore));
    return logprob;
  }
  LossStatistics accumulate(const Pack& pack, const Loss& loss, const LossInputs& inputs) {
    LossStatistics statistics = {};
    run(*trainer->accumulate(pack, loss, inputs, &statistics, ignore));
    return statistics;
  }
  double step(AdamW rule, double clip_norm = 0) {
    double norm = 0;
    run(*trainer->step(rule, clip_norm, &norm, ignore));
    return norm;
  }
  void zero_gradients() { run(*trainer->zero_gradients(ignore)); }

  /** Returns all accumulated gradients, one after the other. */
  std::vector<T> gradients() {
    std::vector<T> all;
    for (const StateSpan& span : trainer->gradients()) {
      const T* data = static_cast<const T*>(span.data);
      all.insert(all.end(), data, data + span.bytes / sizeof(T));
    }
    return all;
  }

  Device<T> device;
  Model<T> model;
  std::unique_ptr<Trainer<T>> trainer;
};

inline Pack random_pack(const std::vector<int>& lengths, int vocabulary, uint32_t seed) {
  std::mt19937 random(seed);
  Pack pack;
  pack.starts.push_back(0);
  for (int length : lengths) {
    for (int i = 0; i < length; ++i) {
      pack.tokens.push_back(static_cast<int32_t>(random() % vocabulary));
      pack.mask.push_back(random() % 4 != 0);
    }
    pack.starts.push_back(static_cast<int32_t>(pack.tokens.size()));
  }
  return pack;
}

inline Pack one_sequence(const Pack& pack, int index) {
  const auto begin = pack.starts[index], end = pack.starts[index + 1];
  return {{pack.tokens.begin() + begin, pack.tokens.begin() + end},
          {0, end - begin},
          {pack.mask.begin() + begin, pack.mask.begin() + end}};
}

/** Arrays for `LossInputs`, as from a rollout near the current weights. */
struct Rollout {
  explicit Rollout(const std::vector<float>& logprob, uint32_t seed, double drift = 0.15)
      : weight(logprob.size()), advantage(random_values<float>(logprob.size(), seed)) {
    const auto near = [&](uint32_t offset) {
      std::vector<float> values = random_values<float>(logprob.size(), seed + offset, drift);
      for (size_t i = 0; i < values.size(); ++i) values[i] += logprob[i];
      return values;
    };
    std::mt19937 random(seed);
    for (float& value : weight) value = random() % 5 ? 0.25f + static_cast<float>(random() % 100) / 100 : 0.0f;
    behaviour = near(1);
    proximal = near(2);
    reference = near(3);
    returns = random_values<float>(logprob.size(), seed + 4, 0.5);
    old_values = random_values<float>(logprob.size(), seed + 5, 0.5);
  }

  LossInputs inputs(size_t first = 0) const {
    return {weight.data() + first,    advantage.data() + first, behaviour.data() + first, proximal.data() + first,
            reference.data() + first, returns.data() + first,   old_values.data() + first};
  }

  std::vector<float> weight, advantage, behaviour, proximal, reference, returns, old_values;
};

}  // namespace palestra::test
