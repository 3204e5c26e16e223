#include "weights.h"

#include <type_traits>

#include "gradients.h"

namespace palestra {
namespace {

/** Finds the tensors of an arena by name. */
template <class T>
class Arena {
 public:
  Arena(T* data, const ParameterTable& table) : data_(data), table_(table) {}

  T* at(const std::string& name) const {
    const Parameter* parameter = table_.find(name);
    return parameter ? data_ + parameter->offset : nullptr;
  }
  Weight weight(const std::string& name, int out, int in) const {
    return {at(name), out, in, dtype_of<std::remove_const_t<T>>, false};
  }

 private:
  T* data_;
  const ParameterTable& table_;
};

std::string layer_prefix(int index) { return "model.layers." + std::to_string(index) + "."; }

}  // namespace

template <class T>
ModelWeights<T> weights_in(const T* data, const ParameterTable& table, const ModelConfig& config) {
  const Arena<const T> arena(data, table);
  const int hidden = config.hidden_size, inner = config.intermediate_size;
  const Heads heads{config.num_attention_heads, config.num_key_value_heads, config.head_dim};
  ModelWeights<T> weights;
  weights.embedding = arena.weight("model.embed_tokens.weight", config.vocab_size, hidden);
  for (int i = 0; i < config.num_hidden_layers; ++i) {
    const std::string prefix = layer_prefix(i), attention = prefix + "self_attn.";
    LayerWeights<T> layer;
    layer.attention_norm = arena.at(prefix + "input_layernorm.weight");
    layer.qkv.weight = arena.weight(attention + "q_proj.weight", heads.width(), hidden);
    layer.qkv.bias = arena.at(attention + "q_proj.bias");
    layer.query_norm = arena.at(attention + "q_norm.weight");
    layer.key_norm = arena.at(attention + "k_norm.weight");
    layer.attention_out.weight = arena.weight(attention + "o_proj.weight", hidden, heads.query * heads.size);
    layer.mlp_norm = arena.at(prefix + "post_attention_layernorm.weight");
    layer.gate_up.weight = arena.weight(prefix + "mlp.gate_proj.weight", 2 * inner, hidden);
    layer.down.weight = arena.weight(prefix + "mlp.down_proj.weight", hidden, inner);
    weights.layers.push_back(std::move(layer));
  }
  weights.final_norm = arena.at("model.norm.weight");
  weights.head = config.tie_word_embeddings ? weights.embedding
                                            : arena.weight("lm_head.weight", config.vocab_size, hidden);
  weights.value_head = arena.at("value_head.weight");
  return weights;
}

template <class A>
ModelGradients<A> gradients_in(A* data, const ParameterTable& table, const ModelConfig& config) {
  const Arena<A> arena(data, table);
  ModelGradients<A> gradients;
  gradients.embedding = arena.at("model.embed_tokens.weight");
  for (int i = 0; i < config.num_hidden_layers; ++i) {
    const std::string prefix = layer_prefix(i), attention = prefix + "self_attn.";
    LayerGradients<A> layer;
    layer.attention_norm = arena.at(prefix + "input_layernorm.weight");
    layer.qkv.weight = arena.at(attention + "q_proj.weight");
    layer.qkv.bias = arena.at(attention + "q_proj.bias");
    layer.query_norm = arena.at(attention + "q_norm.weight");
    layer.key_norm = arena.at(attention + "k_norm.weight");
    layer.attention_out.weight = arena.at(attention + "o_proj.weight");
    layer.mlp_norm = arena.at(prefix + "post_attention_layernorm.weight");
    layer.gate_up.weight = arena.at(prefix + "mlp.gate_proj.weight");
    layer.down.weight = arena.at(prefix + "mlp.down_proj.weight");
    gradients.layers.push_back(std::move(layer));
  }
  gradients.final_norm = arena.at("model.norm.weight");
  gradients.head = config.tie_word_embeddings ? gradients.embedding : arena.at("lm_head.weight");
  gradients.value_head = arena.at("value_head.weight");
  return gradients;
}

template ModelWeights<bf16> weights_in(const bf16*, const ParameterTable&, const ModelConfig&);
template ModelWeights<float> weights_in(const float*, const ParameterTable&, const ModelConfig&);
template ModelWeights<double> weights_in(const double*, const ParameterTable&, const ModelConfig&);
template ModelGradients<float> gradients_in(float*, const ParameterTable&, const ModelConfig&);
template ModelGradients<double> gradients_in(double*, const ParameterTable&, const ModelConfig&);

}  // namespace palestra
