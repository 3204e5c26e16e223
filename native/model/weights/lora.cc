#include "lora.h"

#include <algorithm>
#include <cmath>

#include "random-values.h"

namespace palestra {
namespace {

constexpr size_t alignment = 64;
constexpr int target_count = 7;

struct Target {
  const char* module;
  int out;
  int in;
  int first_column;
};

/** Returns the targets in the order of the bits of `LoraConfig::targets`. */
std::array<Target, target_count> targets_of(const ModelConfig& config) {
  const int hidden = config.hidden_size, inner = config.intermediate_size;
  const int queries = config.num_attention_heads * config.head_dim, keys = config.num_key_value_heads * config.head_dim;
  return {{
      {"self_attn.q_proj", queries, hidden, 0},
      {"self_attn.k_proj", keys, hidden, queries},
      {"self_attn.v_proj", keys, hidden, queries + keys},
      {"self_attn.o_proj", hidden, queries, 0},
      {"mlp.gate_proj", inner, hidden, 0},
      {"mlp.up_proj", inner, hidden, inner},
      {"mlp.down_proj", hidden, inner, 0},
  }};
}

/** Returns the linear map of a target, or the gradients of that map. */
template <class Layer>
auto& map_of(Layer& layer, int target) {
  if (target < 3) return layer.qkv;
  if (target == 3) return layer.attention_out;
  return target < 6 ? layer.gate_up : layer.down;
}

}  // namespace

template <class T>
Adapters<T>::Adapters(Ops<T>& ops, const ModelConfig& model, const LoraConfig& lora)
    : ops_(ops), rank_(lora.rank), scale_(lora.alpha / static_cast<float>(std::max(1, lora.rank))) {
  place(model, lora);
  size_t widest = 0;
  for (const Adapter& adapter : adapters_) widest = std::max(widest, static_cast<size_t>(adapter.out) * rank_);
  scaled_ = Buffer<T>(ops.memory(), widest, "adapter scratch");
  initialise(lora.seed);
}

template <class T>
void Adapters<T>::place(const ModelConfig& model, const LoraConfig& lora) {
  size_t end = 0;
  const auto add = [&](const std::string& name, int rows, int columns) {
    const size_t offset = end;
    parameters_.push_back({name, rows, columns, false, offset});
    end = (end + parameters_.back().size() + alignment - 1) / alignment * alignment;
    return offset;
  };
  const auto targets = targets_of(model);
  for (int layer = 0; layer < model.num_hidden_layers; ++layer) {
    for (int target = 0; target < target_count; ++target) {
      if (!(lora.targets >> target & 1)) continue;
      const Target& t = targets[target];
      const std::string module = "model.layers." + std::to_string(layer) + "." + t.module;
      const size_t a = add("base_model.model." + module + ".lora_A.weight", rank_, t.in);
      const size_t b = add("base_model.model." + module + ".lora_B.weight", t.out, rank_);
      adapters_.push_back({module + ".weight", layer, target, t.first_column, t.in, t.out, a, b});
    }
  }
  arena_ = WeightArena<T>(ops_, end, "adapters");
}

template <class T>
void Adapters<T>::initialise(uint64_t seed) {
  uint32_t tensor = 0;
  for (const Adapter& adapter : adapters_) {
    const RandomValues random(seed, tensor++);
    const A bound = 1 / std::sqrt(static_cast<A>(adapter.in));
    std::vector<A> values(static_cast<size_t>(rank_) * adapter.in);
    for (size_t i = 0; i < values.size(); ++i) values[i] = bound * (2 * random.uniforms(i / 4)[i % 4] - 1);
    ops_.upload(data() + adapter.a, values.data(), values.size() * sizeof(A));
  }
  refresh();
}

template <class T>
void Adapters<T>::attach(ModelWeights<T>& weights) const {
  const T* const arena = arena_.rounded();
  for (const Adapter& adapter : adapters_) {
    map_of(weights.layers[adapter.layer], adapter.target)
        .adapters.push_back({{arena + adapter.a, rank_, adapter.in, dtype_of<T>, false},
                             {arena + adapter.b, adapter.out, rank_, dtype_of<T>, false},
                             adapter.first_column,
                             scale_,
                             static_cast<uint32_t>(adapter.layer * target_count + adapter.target)});
  }
}

template <class T>
void Adapters<T>::attach(ModelGradients<A>& gradients, A* arena) const {
  for (const Adapter& adapter : adapters_) {
    map_of(gradients.layers[adapter.layer], adapter.target).adapters.push_back({arena + adapter.a, arena + adapter.b});
  }
}

template <class T>
void Adapters<T>::merge(const std::string& name, A* projection) const {
  for (const Adapter& adapter : adapters_) {
    if (adapter.projection != name) continue;
    const size_t out = adapter.out;
    std::vector<A> b(out * rank_);
    std::vector<T> scaled(b.size());
    ops_.download(b.data(), data() + adapter.b, b.size() * sizeof(A));
    for (size_t i = 0; i < out; ++i) {
      for (int r = 0; r < rank_; ++r) scaled[r * out + i] = rounded_to<T>(b[i * rank_ + r] * static_cast<A>(scale_));
    }
    ops_.upload(scaled_.data(), scaled.data(), scaled.size() * sizeof(T));
    // The product that adds to master weights is the product for a weight's gradient.
    ops_.linear_weight_gradient(projection, {scaled_.data(), adapter.out}, {arena_.rounded() + adapter.a, adapter.in},
                                adapter.out, adapter.in, rank_);
  }
}

template class Adapters<bf16>;
template class Adapters<float>;
template class Adapters<double>;

}  // namespace palestra
