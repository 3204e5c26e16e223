#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "core/failure.h"
#include "engine.h"

namespace palestra::abi {

constexpr int32_t of(Code code) { return static_cast<int32_t>(code); }

inline palestra_engine* new_engine() {
  palestra_engine_options options{};
  options.device = "cpu";
  options.threads = 2;
  options.memory_bytes = 64 << 20;
  options.train_share = options.generate_share = 1;
  palestra_engine* engine = nullptr;
  EXPECT_EQ(palestra_engine_create(&options, &engine), 0) << palestra_last_error();
  return engine;
}

inline palestra_model_config small_config() {
  palestra_model_config config{};
  config.vocab_size = 61;
  config.hidden_size = 32;
  config.intermediate_size = 48;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.max_position_embeddings = 64;
  config.rms_norm_eps = 1e-5f;
  config.rope_theta = 1e4f;
  return config;
}

inline palestra_model* new_model(palestra_engine* engine) {
  const palestra_model_config config = small_config();
  palestra_model* model = nullptr;
  EXPECT_EQ(palestra_model_create(engine, &config, &model), 0) << palestra_last_error();
  EXPECT_EQ(palestra_model_initialise(model, 1, nullptr, nullptr), 0) << palestra_last_error();
  return model;
}

inline palestra_trainer* new_trainer(palestra_model* model) {
  palestra_trainer_options options{};
  options.max_tokens = 16;
  palestra_trainer* trainer = nullptr;
  EXPECT_EQ(palestra_trainer_create(model, &options, &trainer), 0) << palestra_last_error();
  return trainer;
}

struct Example {
  std::vector<int32_t> tokens{3, 1, 4, 1, 5};
  std::vector<int32_t> starts{0, 5};
  std::vector<uint8_t> mask = std::vector<uint8_t>(5, 1);
  palestra_pack pack() const { return {tokens.data(), 5, starts.data(), 1, mask.data(), nullptr}; }
};

}  // namespace palestra::abi
