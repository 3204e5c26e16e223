#pragma once
#include "../ops/ops.h"
#include "config.h"
#include "weights.h"

namespace palestra {

/** The attention of one layer, which differs between training (packed sequences) and generation (pages). */
template <class T>
class Attention {
 public:
  virtual ~Attention() = default;
  /** Where the layer's keys and values are kept beside; null: nowhere. */
  virtual const PagedStore* store(int) { return nullptr; }
  /** out (rows, query heads * head_size) from qkv, whose queries and keys are normed and turned already. */
  virtual void attend(int layer, T* out, Rows<const T> qkv, int rows) = 0;
};

/** What a layer leaves behind for its gradient, and the scratch that it works in. All on the device. */
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
 * The forward pass, one layer a call, for whoever cuts work into jobs. The same code serves training and generation:
 * that is why their log-probabilities agree.
 */
template <class T>
class Decoder {
 public:
  /** @param adapter_rank the highest of the weights that it will see */
  Decoder(Ops<T>& ops, const ModelConfig& config, int max_rows, int adapter_rank = 0);

  /** Begins a pass: x (rows, hidden) = the embeddings; the layers that follow are of these positions. */
  void begin(T* x, const ModelWeights<T>& weights, const int32_t* tokens, const int32_t* positions, int rows);
  /**
   * x (rows, hidden) is replaced by the layer's output.
   * @param kept where activations are written; with nulls in it where no gradient follows
   */
  void layer(T* x, const LayerWeights<T>& weights, int index, Attention<T>& attention, int rows,
             const LayerActivations<T>* kept);
  /** Writes once more what `layer` left behind, from `kept.input`: the same bits, without the layer's output. */
  void recompute(const LayerActivations<T>& kept, const LayerWeights<T>& weights, int index, Attention<T>& attention,
                 int rows);
  /** y = or += the linear map of x with its adapters. */
  void linear(Rows<T> y, Rows<const T> x, const Linear<T>& map, int rows, Into into);

  const Heads& heads() const { return heads_; }
  /** (rows, head_dim), of the pass under way; as `Ops::rotary_turns` */
  const accumulator_t<T>* turns() const { return turns_.data(); }

 private:
  /** x += the attention of x */
  void attend(T* x, const LayerWeights<T>& weights, int index, Attention<T>& attention, int rows,
              const LayerActivations<T>& kept);
  /** gate_up = that of the norm of x */
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
};

}  // namespace palestra
