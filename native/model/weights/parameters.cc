#include "parameters.h"

#include <algorithm>

namespace palestra {
namespace {

/** Alignment in elements. Every group of tensors starts at the alignment of a vector load. */
constexpr size_t alignment = 64;

class Layout {
 public:
  explicit Layout(std::vector<Parameter>& all) : all_(all) {}

  void matrix(const std::string& name, int rows, int columns) { place(name, rows, columns, false); }
  void vector(const std::string& name, int size) { place(name, 1, size, true); }
  /** Aligns the next tensor. A tensor that is added without a gap follows the last tensor directly. */
  void gap() { end_ = (end_ + alignment - 1) / alignment * alignment; }
  size_t end() const { return end_; }

 private:
  void place(const std::string& name, int rows, int columns, bool vector) {
    all_.push_back({name, rows, columns, vector, end_});
    end_ += all_.back().size();
  }

  std::vector<Parameter>& all_;
  size_t end_ = 0;
};

void place_layer(Layout& layout, const ModelConfig& config, const std::string& prefix) {
  const int hidden = config.hidden_size, inner = config.intermediate_size;
  const int queries = config.num_attention_heads * config.head_dim, keys = config.num_key_value_heads * config.head_dim;
  layout.vector(prefix + "input_layernorm.weight", hidden);
  layout.gap();
  const std::string attention = prefix + "self_attn.";
  layout.matrix(attention + "q_proj.weight", queries, hidden);
  layout.matrix(attention + "k_proj.weight", keys, hidden);
  layout.matrix(attention + "v_proj.weight", keys, hidden);
  layout.gap();
  if (config.qkv_bias) {
    layout.vector(attention + "q_proj.bias", queries);
    layout.vector(attention + "k_proj.bias", keys);
    layout.vector(attention + "v_proj.bias", keys);
    layout.gap();
  }
  if (config.qk_norm) {
    layout.vector(attention + "q_norm.weight", config.head_dim);
    layout.gap();
    layout.vector(attention + "k_norm.weight", config.head_dim);
    layout.gap();
  }
  layout.matrix(attention + "o_proj.weight", hidden, queries);
  layout.gap();
  layout.vector(prefix + "post_attention_layernorm.weight", hidden);
  layout.gap();
  layout.matrix(prefix + "mlp.gate_proj.weight", inner, hidden);
  layout.matrix(prefix + "mlp.up_proj.weight", inner, hidden);
  layout.gap();
  layout.matrix(prefix + "mlp.down_proj.weight", hidden, inner);
  layout.gap();
}

}  // namespace

ParameterTable::ParameterTable(const ModelConfig& config) {
  Layout layout(all_);
  layout.matrix("model.embed_tokens.weight", config.vocab_size, config.hidden_size);
  layout.gap();
  for (int i = 0; i < config.num_hidden_layers; ++i) {
    place_layer(layout, config, "model.layers." + std::to_string(i) + ".");
  }
  layout.vector("model.norm.weight", config.hidden_size);
  layout.gap();
  if (!config.tie_word_embeddings) {
    layout.matrix("lm_head.weight", config.vocab_size, config.hidden_size);
    layout.gap();
  }
  if (config.value_head) {
    layout.matrix("value_head.weight", 1, config.hidden_size);
    layout.vector("value_head.bias", 1);
    layout.gap();
  }
  arena_size_ = layout.end();
}

const Parameter* ParameterTable::find(const std::string& name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Parameter& p) { return p.name == name; });
  return found == all_.end() ? nullptr : &*found;
}

size_t ParameterTable::count() const {
  size_t total = 0;
  for (const Parameter& parameter : all_) total += parameter.size();
  return total;
}

}  // namespace palestra
