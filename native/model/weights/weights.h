#pragma once
#include <string>
#include <vector>

#include "../../core/memory.h"
#include "../../ops/ops.h"
#include "parameters.h"

namespace palestra {

/** Low-rank adapters (Hu et al. 2021): y = x w^T + (alpha / rank) (x a^T) b^T beside a frozen w. */
struct LoraConfig {
  /** Rank of the adapters. 0: no adapters. */
  int rank = 0;
  float alpha = 0;
  /** One bit per projection, in the order q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj. */
  uint32_t targets = 0;
  /** Seed of the initial values of `a`, and of the dropout. */
  uint64_t seed = 0;
  /** Share of the adapters' inputs that is dropped in passes with gradients: from 0 to below 1. */
  float dropout = 0;
};

/** The adapter of one projection. The outputs of the projection are some of the columns of a linear map. */
struct LoraWeight {
  Weight a;  // (rank, in)
  Weight b;  // (out, rank)
  int first_column;
  float scale;
  /** Number of the projection in the model. */
  uint32_t number;
};

/** A linear map of a layer. */
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

/** Weights that a forward pass reads: the master weights in training, packed copies in generation. */
template <class T>
struct ModelWeights {
  Weight embedding;  // (vocabulary, hidden), row-major
  std::vector<LayerWeights<T>> layers;
  const T* final_norm;
  Weight head;  // (vocabulary, hidden); the embedding when tied
  const T* value_head = nullptr;  // (hidden), followed by the bias
};

/** Returns the weights of an arena, row-major. */
template <class T>
ModelWeights<T> weights_in(const T* arena, const ParameterTable& table, const ModelConfig& config);

}  // namespace palestra
