#pragma once
#include <string>
#include <vector>

#include "../core/memory.h"
#include "../ops/ops.h"
#include "parameters.h"

namespace palestra {

/** Low-rank adapters (Hu et al. 2021): y = x w^T + (alpha / rank) (x a^T) b^T beside a frozen w. */
struct LoraConfig {
  /** 0: none. */
  int rank = 0;
  float alpha = 0;
  /** Of q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj: a bit each, in this order. */
  uint32_t targets = 0;
  /** Of the random values that `a` begins with. */
  uint64_t seed = 0;
};

/** An adapter of one projection, whose output is columns of a linear map's. */
struct LoraWeight {
  Weight a;  // (rank, in)
  Weight b;  // (out, rank)
  int first_column;
  float scale;
};

/** A linear map as a layer uses it. */
template <class T>
struct Linear {
  Weight weight;
  const T* bias = nullptr;
  std::vector<LoraWeight> adapters;
};

template <class T>
struct LayerWeights {
  const T* attention_norm;
  Linear<T> qkv;
  const T* query_norm;  // (head_size), or null
  const T* key_norm;
  Linear<T> attention_out;
  const T* mlp_norm;
  Linear<T> gate_up;
  Linear<T> down;
};

/** Where a forward pass reads: the master weights while training, packed copies while generating. */
template <class T>
struct ModelWeights {
  Weight embedding;  // (vocabulary, hidden), row-major
  std::vector<LayerWeights<T>> layers;
  const T* final_norm;
  Weight head;  // (vocabulary, hidden); the embedding where tied
  const T* value_head = nullptr;  // (hidden) and the bias after it
};

/** The weights as they lie in an arena, row-major. */
template <class T>
ModelWeights<T> weights_in(const T* arena, const ParameterTable& table, const ModelConfig& config);

}  // namespace palestra
