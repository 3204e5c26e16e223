#pragma once
#include "../ops/ops.h"
#include "config.h"
#include "gradients.h"
#include "parameters.h"
#include "weight-arena.h"
#include "weights.h"

namespace palestra {

/**
 * The low-rank adapters of a model, in an arena of their own, with the names that PEFT writes
 * (`base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight`). `a` begins uniform in ±1 / sqrt(in), as PEFT has
 * it, and `b` at zero, so that the model is at first what it was.
 */
template <class T>
class Adapters {
 public:
  using A = accumulator_t<T>;
  /** Fails with `Code::invalid_argument` where the rank or the targets name nothing. */
  Adapters(Ops<T>& ops, const ModelConfig& model, const LoraConfig& lora);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  size_t arena_size() const { return arena_.size(); }
  /** Master weights. Whoever writes them calls `refresh`. */
  A* data() const { return arena_.master(); }
  const WeightArena<T>& arena() const { return arena_; }
  void refresh() { arena_.refresh(ops_); }
  int rank() const { return rank_; }

  /** Lets the model's linear maps go through the adapters, unmerged and row-major. */
  void attach(ModelWeights<T>& weights) const;
  /** @param arena of gradients, with the offsets of `parameters()` */
  void attach(ModelGradients<A>& gradients, A* arena) const;
  /**
   * Adds (alpha / rank) b a to a copy of a projection (out, in) on the device: the weight that an export has. Both
   * factors as activations meet them.
   * @param name of the projection in the model's table; one that has no adapter stays as it is
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
  Buffer<T> scaled_;  // (rank, out): b^T of one adapter, times the scale
};

}  // namespace palestra
