#pragma once
#include <cstdint>

namespace palestra {

/** How rotary frequencies are stretched for contexts beyond the trained one. */
enum class RopeScaling { none, linear, llama3 };

/**
 * A decoder of the Llama family: token embedding, `layers` times (RMSNorm, attention, RMSNorm, SwiGLU) with residuals,
 * RMSNorm, head. Names are those of Hugging Face's config.json.
 */
struct ModelConfig {
  int32_t vocab_size;
  int32_t hidden_size;
  int32_t intermediate_size;
  int32_t num_hidden_layers;
  int32_t num_attention_heads;
  int32_t num_key_value_heads;
  /** A multiple of 8 up to 256, which attention is made for. */
  int32_t head_dim;
  int32_t max_position_embeddings;
  float rms_norm_eps;
  float rope_theta;
  RopeScaling rope_scaling;
  /** linear and llama3: `factor`. */
  float rope_factor;
  /** llama3: `low_freq_factor`, `high_freq_factor`, `original_max_position_embeddings`. */
  float rope_low_freq_factor;
  float rope_high_freq_factor;
  int32_t rope_original_max_position_embeddings;
  /** The head is the embedding. */
  bool tie_word_embeddings;
  /** Biases on queries, keys and values: Qwen2. */
  bool qkv_bias;
  /** RMSNorm of each head's queries and keys: Qwen3. */
  bool qk_norm;
  /** A critic's scalar on the last hidden state: `value_head.weight` (1, hidden_size) and `value_head.bias` (1). */
  bool value_head;
};

}  // namespace palestra
