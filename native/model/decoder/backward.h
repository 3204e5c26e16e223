#pragma once
#include "../weights/gradients.h"
#include "decoder.h"
#include "packed-attention.h"

namespace palestra {

/** The gradients of a decoder, one layer per call, last layer first. */
template <class T>
class Backward {
 public:
  using A = accumulator_t<T>;
  Backward(Ops<T>& ops, Decoder<T>& decoder, const ModelConfig& config, int max_rows, int adapter_rank);

  /**
   * Replaces dx (rows, hidden), the gradient of a layer's output, by the gradient of its input. Also adds the gradients
   * of the layer's weights. Overwrites the kept activations.
   */
  void layer(T* dx, const LayerActivations<T>& kept, const LayerWeights<T>& weights,
             const LayerGradients<A>& gradients, PackedAttention<T>& packed);

 private:
  void mlp(T* dx, const LayerActivations<T>& kept, const LayerWeights<T>& weights, const LayerGradients<A>& gradients,
           int rows);
  void attention(T* dx, const LayerActivations<T>& kept, const LayerWeights<T>& weights,
                 const LayerGradients<A>& gradients, PackedAttention<T>& packed);
  void heads_norm(const LayerActivations<T>& kept, const LayerWeights<T>& weights, const LayerGradients<A>& gradients,
                  int rows);
  /**
   * Computes dx, the gradient of a linear map's input, from dy and that input. Also adds the gradients of the map's
   * weights.
   */
  void linear(Rows<T> dx, Rows<const T> dy, Rows<const T> x, const Linear<T>& map, const LinearGradients<A>& gradients,
              int rows);
  // First half of `linear`. Separate halves serve an input that becomes known between them.
  void linear_input(Rows<T> dx, Rows<const T> dy, const Linear<T>& map, int rows);
  void linear_weights(Rows<const T> dy, Rows<const T> x, const Linear<T>& map, const LinearGradients<A>& gradients,
                      int rows);
  /** Adds the gradients of the map's weights. */
  void map_weights(Rows<const T> dy, Rows<const T> x, const Linear<T>& map, const LinearGradients<A>& gradients,
                   int rows);
  void adapter_weights(Rows<const T> dy, Rows<const T> x, Rows<const T> dlow, const LoraWeight& adapter,
                       const AdapterGradients<A>& gradients, int rows);
  /** Adds the gradient of the map's input through an adapter. @param dlow result of `low_rank_gradient` */
  void adapter_input_gradient(Rows<T> dx, Rows<const T> dlow, const LoraWeight& adapter, int rows);
  /** Returns the gradient of the output of the adapter's first map: (rows, rank). */
  Rows<const T> low_rank_gradient(Rows<const T> dy, const LoraWeight& adapter, int rows);
  /** Recomputes the norm of a residual stream, which costs less than keeping it. */
  Rows<const T> norm(const T* x, const T* weight, int rows);

  Ops<T>& ops_;
  /** Knows the dropout of the pass. */
  Decoder<T>& decoder_;
  ModelConfig config_;
  Heads heads_;
  /** Rotary turns of the decoder's pass. */
  const A* turns_;
  Buffer<T> normed_;      // (max rows, hidden)
  Buffer<T> dnormed_;     // (max rows, hidden)
  Buffer<T> dactivated_;  // (max rows, intermediate); later the activated values
  Buffer<T> dattended_;   // (max rows, query heads * head_size)
  Buffer<T> dqkv_;        // (max rows, heads.width())
  Buffer<T> low_rank_;    // (max rows, adapter rank)
  Buffer<T> dlow_rank_;
};

}  // namespace palestra
