#include "backward.h"

namespace palestra {

template <class T>
Backward<T>::Backward(Ops<T>& ops, Decoder<T>& decoder, const ModelConfig& config, int max_rows,
                      int adapter_rank)
    : ops_(ops), decoder_(decoder), config_(config), heads_(decoder.heads()), turns_(decoder.turns()) {
  const auto scratch = [&](int width) {
    return Buffer<T>(ops.memory(), static_cast<size_t>(max_rows) * width, "backward scratch");
  };
  normed_ = scratch(config.hidden_size);
  dnormed_ = scratch(config.hidden_size);
  dactivated_ = scratch(config.intermediate_size);
  dattended_ = scratch(heads_.query * heads_.size);
  dqkv_ = scratch(heads_.width());
  if (adapter_rank > 0) {
    low_rank_ = scratch(adapter_rank);
    dlow_rank_ = scratch(adapter_rank);
  }
}

template <class T>
void Backward<T>::layer(T* dx, const LayerActivations<T>& kept, const LayerWeights<T>& weights,
                        const LayerGradients<A>& gradients, PackedAttention<T>& packed) {
  mlp(dx, kept, weights, gradients, packed.rows());
  attention(dx, kept, weights, gradients, packed);
}

template <class T>
void Backward<T>::mlp(T* dx, const LayerActivations<T>& kept, const LayerWeights<T>& weights,
                      const LayerGradients<A>& gradients, int rows) {
  const int hidden = config_.hidden_size, inner = config_.intermediate_size;
  T* const activated = dactivated_.data();  // Overwrites its gradient, which is no longer needed.
  linear_input({dactivated_.data(), inner}, {dx, hidden}, weights.down, rows);
  ops_.swiglu_gradient(kept.gate_up, activated, dactivated_.data(), kept.gate_up, inner, rows);
  linear_weights({dx, hidden}, {activated, inner}, weights.down, gradients.down, rows);
  const Rows<const T> normed = norm(kept.middle, weights.mlp_norm, rows);
  linear({dnormed_.data(), hidden}, {kept.gate_up, 2 * inner}, normed, weights.gate_up, gradients.gate_up, rows);
  ops_.rms_norm_gradient({dx, hidden}, gradients.mlp_norm, {dnormed_.data(), hidden}, {kept.middle, hidden},
                         weights.mlp_norm, kept.mlp_rstd, hidden, rows, Into::add);
}

template <class T>
void Backward<T>::attention(T* dx, const LayerActivations<T>& kept, const LayerWeights<T>& weights,
                            const LayerGradients<A>& gradients, PackedAttention<T>& packed) {
  const int hidden = config_.hidden_size, width = heads_.width(), attended = heads_.query * heads_.size;
  const int rows = packed.rows();
  const Rows<T> dqkv{dqkv_.data(), width};
  linear({dattended_.data(), attended}, {dx, hidden}, {kept.attended, attended}, weights.attention_out,
         gradients.attention_out, rows);
  packed.gradient(dqkv, dattended_.data(), kept.attended, kept.log_sum, {kept.qkv, width});
  ops_.rotate(dqkv, turns_, heads_.query + heads_.kv, heads_.size, rows, -1);
  if (weights.query_norm) heads_norm(kept, weights, gradients, rows);
  const Rows<const T> normed = norm(kept.input, weights.attention_norm, rows);
  linear({dnormed_.data(), hidden}, {dqkv.data, width}, normed, weights.qkv, gradients.qkv, rows);
  ops_.rms_norm_gradient({dx, hidden}, gradients.attention_norm, {dnormed_.data(), hidden}, {kept.input, hidden},
                         weights.attention_norm, kept.attention_rstd, hidden, rows, Into::add);
}

template <class T>
void Backward<T>::heads_norm(const LayerActivations<T>& kept, const LayerWeights<T>& weights,
                             const LayerGradients<A>& gradients, int rows) {
  const int width = heads_.width();
  const auto norm_gradient = [&](int column, const T* w, A* dw, const A* rstd, int heads) {
    const Rows<T> dx{dqkv_.data() + column, width};
    ops_.rms_norm_gradient(dx, dw, {dx.data, width}, {kept.qkv_raw + column, width}, w, rstd, heads_.size, rows,
                           Into::assign, heads);
  };
  norm_gradient(0, weights.query_norm, gradients.query_norm, kept.query_rstd, heads_.query);
  norm_gradient(heads_.key_column(), weights.key_norm, gradients.key_norm, kept.key_rstd, heads_.kv);
}

template <class T>
void Backward<T>::linear(Rows<T> dx, Rows<const T> dy, Rows<const T> x, const Linear<T>& map,
                         const LinearGradients<A>& gradients, int rows) {
  map_weights(dy, x, map, gradients, rows);
  ops_.linear_input_gradient(dx, dy, map.weight, rows, Into::assign);
  for (size_t i = 0; i < map.adapters.size(); ++i) {
    const LoraWeight& adapter = map.adapters[i];
    const Rows<const T> dlow = low_rank_gradient(dy, adapter, rows);
    adapter_weights(dy, x, dlow, adapter, gradients.adapters[i], rows);
    adapter_input_gradient(dx, dlow, adapter, rows);
  }
}

template <class T>
void Backward<T>::linear_input(Rows<T> dx, Rows<const T> dy, const Linear<T>& map, int rows) {
  ops_.linear_input_gradient(dx, dy, map.weight, rows, Into::assign);
  for (const LoraWeight& adapter : map.adapters) {
    adapter_input_gradient(dx, low_rank_gradient(dy, adapter, rows), adapter, rows);
  }
}

template <class T>
void Backward<T>::linear_weights(Rows<const T> dy, Rows<const T> x, const Linear<T>& map,
                                 const LinearGradients<A>& gradients, int rows) {
  map_weights(dy, x, map, gradients, rows);
  for (size_t i = 0; i < map.adapters.size(); ++i) {
    const LoraWeight& adapter = map.adapters[i];
    adapter_weights(dy, x, low_rank_gradient(dy, adapter, rows), adapter, gradients.adapters[i], rows);
  }
}

template <class T>
void Backward<T>::map_weights(Rows<const T> dy, Rows<const T> x, const Linear<T>& map,
                              const LinearGradients<A>& gradients, int rows) {
  const Weight& w = map.weight;
  if (gradients.weight) ops_.linear_weight_gradient(gradients.weight, dy, x, w.out, w.in, rows);
  if (gradients.bias) ops_.bias_gradient(gradients.bias, dy, w.out, rows);
}

template <class T>
void Backward<T>::adapter_weights(Rows<const T> dy, Rows<const T> x, Rows<const T> dlow, const LoraWeight& adapter,
                                  const AdapterGradients<A>& gradients, int rows) {
  const int rank = adapter.a.out;
  const Rows<T> low{low_rank_.data(), rank};
  const Rows<const T> input = decoder_.adapter_input(x, adapter, rows);
  ops_.linear(low, input, adapter.a, nullptr, rows, Into::assign);
  ops_.scale(low, adapter.scale, rank, rows);
  ops_.linear_weight_gradient(gradients.b, dy.from(adapter.first_column), {low.data, rank}, adapter.b.out, rank, rows);
  ops_.linear_weight_gradient(gradients.a, dlow, input, rank, adapter.a.in, rows);
}

template <class T>
void Backward<T>::adapter_input_gradient(Rows<T> dx, Rows<const T> dlow, const LoraWeight& adapter, int rows) {
  const Dropout dropout = decoder_.dropout(adapter);
  if (dropout.rate == 0) return ops_.linear_input_gradient(dx, dlow, adapter.a, rows, Into::add);
  const int width = adapter.a.in;
  const Rows<T> ddropped{decoder_.dropped(), width};
  ops_.linear_input_gradient(ddropped, dlow, adapter.a, rows, Into::assign);
  ops_.drop(dx, {ddropped.data, width}, dropout, width, rows, Into::add);
}

template <class T>
Rows<const T> Backward<T>::low_rank_gradient(Rows<const T> dy, const LoraWeight& adapter, int rows) {
  const int rank = adapter.a.out;
  const Rows<T> dlow{dlow_rank_.data(), rank};
  ops_.linear_input_gradient(dlow, dy.from(adapter.first_column), adapter.b, rows, Into::assign);
  ops_.scale(dlow, adapter.scale, rank, rows);
  return {dlow.data, rank};
}

template <class T>
Rows<const T> Backward<T>::norm(const T* x, const T* weight, int rows) {
  const int hidden = config_.hidden_size;
  ops_.rms_norm({normed_.data(), hidden}, nullptr, {x, hidden}, weight, hidden, rows, config_.rms_norm_eps);
  return {normed_.data(), hidden};
}

template class Backward<bf16>;
template class Backward<float>;
template class Backward<double>;

}  // namespace palestra
