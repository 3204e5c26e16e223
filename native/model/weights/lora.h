#pragma once
#include "../../ops/ops.h"
#include "config.h"
#include "gradients.h"
#include "parameters.h"
#include "weight-arena.h"
#include "weights.h"

namespace palestra {

/**
 * The low-rank adapters of a model, in an arena of their own, with PEFT's names
 * (`base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight`). As in PEFT, `a` starts uniform in ±1 / sqrt(in)
 * and `b` at zero, so the adapters change nothing at first.
 */
template <class T>
class Adapters {
 public:
  using A = accumulator_t<T>;
  /** Makes adapters of a rank above 0, for at least one target. */
  Adapters(Ops<T>& ops, const ModelConfig& model, const LoraConfig& lora);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  size_t arena_size() const { return arena_.size(); }
  /** Master weights. Call `refresh` after writing to the weights. */
  A* data() const { return arena_.master(); }
  const WeightArena<T>& arena() const { return arena_; }
  void refresh() { arena_.refresh(ops_); }
  int rank() const { return rank_; }

  /** Makes the model's linear maps apply the adapters, unmerged and row-major. */
  void attach(ModelWeights<T>& weights) const;
  /** @param arena gradients at the offsets of `parameters()` */
  void attach(ModelGradients<A>& gradients, A* arena) const;
  /**
   * Adds (alpha / rank) b a to a copy of a projection (out, in) on the device, as an export needs it. Both factors are
   * in the type of the activations.
   *
   * @param name the projection in the model's table; a projection that has no adapter is left unchanged
   */
  void merge(const std::string& name, A* projection) const;

 private:
  struct Adapter {
    std::string projection;
    int layer;
    int target;
    int first_column;
    int in;
    int out;
    size_t a;
    size_t b;
  };
  void place(const ModelConfig& model, const LoraConfig& lora);
  void initialise(uint64_t seed);

  Ops<T>& ops_;
  int rank_;
  float scale_;
  std::vector<Adapter> adapters_;
  std::vector<Parameter> parameters_;
  WeightArena<T> arena_;
  Buffer<T> scaled_;  // (rank, out): b^T of one adapter, multiplied by the scale
};

}  // namespace palestra
