#pragma once
#include <vector>

#include "config.h"
#include "parameters.h"

namespace palestra {

/** Gradients of an adapter: a (rank, in), b (out, rank). */
template <class A>
struct AdapterGradients {
  A* a;
  A* b;
};

/** Gradients of a linear map. Null for frozen weights. */
template <class A>
struct LinearGradients {
  A* weight = nullptr;
  A* bias = nullptr;
  std::vector<AdapterGradients<A>> adapters;
};

template <class A>
struct LayerGradients {
  A* attention_norm = nullptr;
  LinearGradients<A> qkv;
  A* query_norm = nullptr;
  A* key_norm = nullptr;
  LinearGradients<A> attention_out;
  A* mlp_norm = nullptr;
  LinearGradients<A> gate_up;
  LinearGradients<A> down;
};

/** Memory to which a backward pass adds, laid out as `ModelWeights`. Null for weights that are frozen or absent. */
template <class A>
struct ModelGradients {
  A* embedding = nullptr;
  std::vector<LayerGradients<A>> layers;
  A* final_norm = nullptr;
  A* head = nullptr;
  A* value_head = nullptr;
};

/** The gradients of all parameters, in an arena with the offsets of the weights. */
template <class A>
ModelGradients<A> gradients_in(A* arena, const ParameterTable& table, const ModelConfig& config);

}  // namespace palestra
