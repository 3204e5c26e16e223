#include "decoder.h"

#include <algorithm>

#include "rope.h"

namespace palestra {

template <class T>
Decoder<T>::Decoder(Ops<T>& ops, const ModelConfig& config, int max_rows, int adapter_rank, bool drops)
    : ops_(ops),
      config_(config),
      heads_{config.num_attention_heads, config.num_key_value_heads, config.head_dim},
      frequencies_(ops.memory(), config.head_dim / 2, "rotary frequencies"),
      turns_(ops.memory(), static_cast<size_t>(max_rows) * config.head_dim, "rotary turns") {
  const size_t rows = max_rows;
  const auto scratch = [&](int width) { return Buffer<T>(ops.memory(), rows * width, "forward scratch"); };
  normed_ = scratch(config.hidden_size);
  qkv_ = scratch(heads_.width());
  attended_ = scratch(heads_.query * heads_.size);
  gate_up_ = scratch(2 * config.intermediate_size);
  activated_ = scratch(config.intermediate_size);
  if (adapter_rank > 0) low_rank_ = scratch(adapter_rank);
  if (drops) dropped_ = scratch(std::max({config.hidden_size, heads_.query * heads_.size, config.intermediate_size}));
  ops.upload(frequencies_.data(), rope_frequencies(config).data(), frequencies_.bytes());
}

template <class T>
void Decoder<T>::begin(T* x, const ModelWeights<T>& weights, const int32_t* tokens, const int32_t* positions,
                       int rows, const Dropout& dropout) {
  dropout_ = dropout;
  ops_.rotary_turns(turns_.data(), positions, frequencies_.data(), heads_.size, rows);
  ops_.embed({x, config_.hidden_size}, weights.embedding, tokens, rows);
}

template <class T>
void Decoder<T>::linear(Rows<T> y, Rows<const T> x, const Linear<T>& map, int rows, Into into) {
  ops_.linear(y, x, map.weight, map.bias, rows, into);
  for (const LoraWeight& adapter : map.adapters) {
    const int rank = adapter.a.out;
    const Rows<T> low{low_rank_.data(), rank};
    ops_.linear(low, adapter_input(x, adapter, rows), adapter.a, nullptr, rows, Into::assign);
    ops_.scale(low, adapter.scale, rank, rows);
    ops_.linear(y.from(adapter.first_column), {low.data, rank}, adapter.b, nullptr, rows, Into::add);
  }
}

template <class T>
Rows<const T> Decoder<T>::adapter_input(Rows<const T> x, const LoraWeight& adapter, int rows) {
  if (dropout_.rate == 0) return x;
  const int width = adapter.a.in;
  ops_.drop({dropped_.data(), width}, x, dropout(adapter), width, rows, Into::assign);
  return {dropped_.data(), width};
}

template <class T>
Dropout Decoder<T>::dropout(const LoraWeight& adapter) const {
  Dropout dropout = dropout_;
  dropout.map = adapter.number;
  return dropout;
}

template <class T>
void Decoder<T>::attend(T* x, const LayerWeights<T>& weights, int index, Attention<T>& attention, int rows,
                        const LayerActivations<T>& kept) {
  const int hidden = config_.hidden_size, attended_width = heads_.query * heads_.size;
  const Rows<T> qkv{kept.qkv ? kept.qkv : qkv_.data(), heads_.width()};
  T* attended = kept.attended ? kept.attended : attended_.data();
  ops_.rms_norm({normed_.data(), hidden}, kept.attention_rstd, {x, hidden}, weights.attention_norm, hidden, rows,
                config_.rms_norm_eps);
  linear(qkv, {normed_.data(), hidden}, weights.qkv, rows, Into::assign);
  if (kept.qkv_raw) ops_.copy(kept.qkv_raw, qkv.data, sizeof(T) * rows * heads_.width());
  ops_.prepare_heads(qkv,
                     {weights.query_norm, weights.key_norm, config_.rms_norm_eps, turns_.data(), kept.query_rstd,
                      kept.key_rstd},
                     heads_, rows, attention.store(index));
  attention.attend(index, attended, {qkv.data, qkv.stride}, rows);
  linear({x, hidden}, {attended, attended_width}, weights.attention_out, rows, Into::add);
}

template <class T>
void Decoder<T>::open_gates(T* gate_up, const T* x, const LayerWeights<T>& weights, int rows, accumulator_t<T>* rstd) {
  const int hidden = config_.hidden_size;
  ops_.rms_norm({normed_.data(), hidden}, rstd, {x, hidden}, weights.mlp_norm, hidden, rows, config_.rms_norm_eps);
  linear({gate_up, 2 * config_.intermediate_size}, {normed_.data(), hidden}, weights.gate_up, rows, Into::assign);
}

template <class T>
void Decoder<T>::layer(T* x, const LayerWeights<T>& weights, int index, Attention<T>& attention, int rows,
                       const LayerActivations<T>* kept) {
  const LayerActivations<T> keep = kept ? *kept : LayerActivations<T>{};
  const int hidden = config_.hidden_size, inner = config_.intermediate_size;
  const size_t stream_bytes = sizeof(T) * rows * hidden;
  if (keep.input) ops_.copy(keep.input, x, stream_bytes);
  attend(x, weights, index, attention, rows, keep);
  if (keep.middle) ops_.copy(keep.middle, x, stream_bytes);
  T* gate_up = keep.gate_up ? keep.gate_up : gate_up_.data();
  open_gates(gate_up, x, weights, rows, keep.mlp_rstd);
  ops_.swiglu(activated_.data(), gate_up, inner, rows);
  linear({x, hidden}, {activated_.data(), inner}, weights.down, rows, Into::add);
}

template <class T>
void Decoder<T>::recompute(const LayerActivations<T>& kept, const LayerWeights<T>& weights, int index,
                           Attention<T>& attention, int rows) {
  ops_.copy(kept.middle, kept.input, sizeof(T) * rows * config_.hidden_size);
  attend(kept.middle, weights, index, attention, rows, kept);
  open_gates(kept.gate_up, kept.middle, weights, rows, kept.mlp_rstd);
}

template class Decoder<bf16>;
template class Decoder<float>;
template class Decoder<double>;

}  // namespace palestra
