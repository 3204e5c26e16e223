#pragma once
#include "../decoder/decoder.h"
#include "trainer.h"

namespace palestra {

/**
 * Activations that a pass keeps for its gradients: the activations of all layers, or each layer's input and the
 * remaining activations of one layer.
 */
template <class T>
class Activations {
 public:
  Activations(Memory& memory, const ModelConfig& config, int max_rows, Recompute recompute);

  LayerActivations<T> layer(int index) const;
  /** Whether the activations of layer `index` are still complete after the last layer. */
  bool complete(int index) const { return !recompute_ || index == layers_ - 1; }

 private:
  using A = accumulator_t<T>;
  /** Returns the part of layer `index` in a buffer that has one part per layer, or one part for all. */
  template <class Value>
  Value* of(const Buffer<Value>& buffer, int index) const {
    return buffer ? buffer.data() + (recompute_ ? 0 : buffer.size() / layers_ * index) : nullptr;
  }

  int layers_;
  bool recompute_;
  size_t input_size_;
  Buffer<T> input_, qkv_raw_, qkv_, attended_, middle_, gate_up_;
  Buffer<A> attention_rstd_, query_rstd_, key_rstd_, log_sum_, mlp_rstd_;
};

}  // namespace palestra
