#pragma once
#include "../../ops/ops.h"
#include "../weights/config.h"
#include "../weights/weights.h"

namespace palestra {

/** The attention of one layer. Training uses packed sequences, and generation uses pages. */
template <class T>
class Attention {
 public:
  virtual ~Attention() = default;
  /** Store to which the layer's keys and values are also written. Null: no store. */
  virtual const PagedStore* store(int) { return nullptr; }
  /** Computes out (rows, query heads * head_size) from qkv, whose queries and keys are already normed and rotated. */
  virtual void attend(int layer, T* out, Rows<const T> qkv, int rows) = 0;
};

/** Activations that a layer keeps for its gradient, and scratch memory of the layer. All pointers are on the device. */
template <class T>
struct LayerActivations {
  T* input;  // (rows, hidden): the residual stream before the layer
  accumulator_t<T>* attention_rstd;
  T* qkv_raw;  // (rows, heads.width()), before norm and rotation; qk_norm only
  T* qkv;
  accumulator_t<T>* query_rstd;
  accumulator_t<T>* key_rstd;
  T* attended;  // (rows, query heads * head_size)
  accumulator_t<T>* log_sum;
  T* middle;  // (rows, hidden): the residual stream between attention and MLP
  accumulator_t<T>* mlp_rstd;
  T* gate_up;  // (rows, 2 * intermediate)
};

/**
 * The forward pass, one layer per call, so that it can be cut into jobs. Training and generation share this code, so
 * that their log-probabilities agree.
 */
template <class T>
class Decoder {
 public:
  /**
   * @param adapter_rank the highest rank among the weights of any pass
   * @param drops whether any pass has dropout
   */
  Decoder(Ops<T>& ops, const ModelConfig& config, int max_rows, int adapter_rank = 0, bool drops = false);

  /**
   * Begins a pass: x (rows, hidden) = the embeddings. The following calls of `layer` are for these positions.
   *
   * @param dropout dropout of the adapters' inputs
   */
  void begin(T* x, const ModelWeights<T>& weights, const int32_t* tokens, const int32_t* positions, int rows,
             const Dropout& dropout = {});
  /**
   * Replaces x (rows, hidden) by the layer's output.
   *
   * @param kept where the activations are written; its pointers are null when no gradient follows
   */
  void layer(T* x, const LayerWeights<T>& weights, int index, Attention<T>& attention, int rows,
             const LayerActivations<T>* kept);
  /** Writes the activations of `layer` again from `kept.input`, bit for bit, without the layer's output. */
  void recompute(const LayerActivations<T>& kept, const LayerWeights<T>& weights, int index, Attention<T>& attention,
                 int rows);
  /** Computes y = or += the linear map of x, with its adapters. */
  void linear(Rows<T> y, Rows<const T> x, const Linear<T>& map, int rows, Into into);

  /** Returns the input of an adapter: x, or in a pass with dropout a copy in `dropped` without what is dropped. */
  Rows<const T> adapter_input(Rows<const T> x, const LoraWeight& adapter, int rows);
  /** Dropout of an adapter in the current pass. */
  Dropout dropout(const LoraWeight& adapter) const;
  /** Scratch of a pass with dropout: (max rows, input of any linear map). */
  T* dropped() { return dropped_.data(); }

  const Heads& heads() const { return heads_; }
  /** Rotary turns (rows, head_dim) of the current pass, as `Ops::rotary_turns` computes them. */
  const accumulator_t<T>* turns() const { return turns_.data(); }

 private:
  /** Computes x += the attention of x. */
  void attend(T* x, const LayerWeights<T>& weights, int index, Attention<T>& attention, int rows,
              const LayerActivations<T>& kept);
  /** Computes gate_up = the gate and up projections of the norm of x. */
  void open_gates(T* gate_up, const T* x, const LayerWeights<T>& weights, int rows, accumulator_t<T>* rstd);

  Ops<T>& ops_;
  ModelConfig config_;
  Heads heads_;
  Buffer<float> frequencies_;  // (head_dim / 2)
  Buffer<accumulator_t<T>> turns_;  // (max rows, head_dim)
  Buffer<T> normed_;     // (max rows, hidden)
  Buffer<T> qkv_;        // (max rows, heads.width())
  Buffer<T> attended_;   // (max rows, query heads * head_size)
  Buffer<T> gate_up_;    // (max rows, 2 * intermediate)
  Buffer<T> activated_;  // (max rows, intermediate)
  Buffer<T> low_rank_;   // (max rows, adapter rank)
  Buffer<T> dropped_;    // (max rows, input of any linear map)
  Dropout dropout_;
};

}  // namespace palestra
