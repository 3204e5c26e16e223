#include "activations.h"

namespace palestra {

template <class T>
Activations<T>::Activations(Memory& memory, const ModelConfig& config, int max_rows, Recompute recompute)
    : layers_(config.num_hidden_layers),
      recompute_(recompute == Recompute::layer),
      input_size_(static_cast<size_t>(max_rows) * config.hidden_size) {
  const Heads heads{config.num_attention_heads, config.num_key_value_heads, config.head_dim};
  const size_t rows = static_cast<size_t>(max_rows) * (recompute_ ? 1 : layers_);
  const auto wide = [&](int width) { return Buffer<T>(memory, rows * width, "activations"); };
  const auto narrow = [&](int width) { return Buffer<A>(memory, rows * width, "activations"); };
  input_ = Buffer<T>(memory, input_size_ * layers_, "activations");
  attention_rstd_ = narrow(1);
  if (config.qk_norm) {
    qkv_raw_ = wide(heads.width());
    query_rstd_ = narrow(heads.query);
    key_rstd_ = narrow(heads.kv);
  }
  qkv_ = wide(heads.width());
  attended_ = wide(heads.query * heads.size);
  log_sum_ = narrow(heads.query);
  middle_ = wide(config.hidden_size);
  mlp_rstd_ = narrow(1);
  gate_up_ = wide(2 * config.intermediate_size);
}

template <class T>
LayerActivations<T> Activations<T>::layer(int index) const {
  return {input_.data() + input_size_ * index,
          of(attention_rstd_, index),
          of(qkv_raw_, index),
          of(qkv_, index),
          of(query_rstd_, index),
          of(key_rstd_, index),
          of(attended_, index),
          of(log_sum_, index),
          of(middle_, index),
          of(mlp_rstd_, index),
          of(gate_up_, index)};
}

template class Activations<bf16>;
template class Activations<float>;
template class Activations<double>;

}  // namespace palestra
