#pragma once
#include <cstdint>

namespace palestra {

/** Scaling of rotary frequencies for contexts longer than the trained one. */
enum class RopeScaling { none, linear, llama3 };

/**
 * A decoder of the Llama family: token embedding, `layers` times (RMSNorm, attention, RMSNorm, SwiGLU) with residuals,
 * RMSNorm, head. The names are those of Hugging Face's config.json.
 */
struct ModelConfig {
  int32_t vocab_size;
  int32_t hidden_size;
  int32_t intermediate_size;
  int32_t num_hidden_layers;
  int32_t num_attention_heads;
  int32_t num_key_value_heads;
  /** A multiple of 8 up to 256, as the attention kernels require. */
  int32_t head_dim;
  int32_t max_position_embeddings;
  float rms_norm_eps;
  float rope_theta;
  RopeScaling rope_scaling;
  /** `factor` of linear and llama3 scaling. */
  float rope_factor;
  /** `low_freq_factor`, `high_freq_factor` and `original_max_position_embeddings` of llama3 scaling. */
  float rope_low_freq_factor;
  float rope_high_freq_factor;
  int32_t rope_original_max_position_embeddings;
  /** Whether the head shares the weights of the embedding. */
  bool tie_word_embeddings;
  /** Whether queries, keys and values have biases (Qwen2). */
  bool qkv_bias;
  /** Whether queries and keys are normed per head by RMSNorm (Qwen3). */
  bool qk_norm;
  /**
   * Whether the last hidden state has a critic's scalar head: `value_head.weight` (1, hidden_size) and
   * `value_head.bias` (1).
   */
  bool value_head;
};

}  // namespace palestra
