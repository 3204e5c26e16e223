#pragma once
#include "decoder.h"
#include "trainer.h"

namespace palestra {

/** What the layers of a pass leave behind for its gradients: all of it, or the layers' inputs and one layer's rest. */
template <class T>
class Activations {
 public:
  Activations(Memory& memory, const ModelConfig& config, int max_rows, Recompute recompute);

  LayerActivations<T> layer(int index) const;
  /** Whether what layer `index` left is still there once all layers are through. */
  bool complete(int index) const { return !recompute_ || index == layers_ - 1; }

 private:
  using A = accumulator_t<T>;
  /** The part of layer `index` of a buffer that all layers share, or have each. */
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
