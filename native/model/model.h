#pragma once
#include <atomic>

#include "../ops/ops.h"
#include "config.h"
#include "parameters.h"
#include "weight-arena.h"
#include "weights.h"

namespace palestra {

/** The weights of a decoder. */
template <class T>
class Model {
 public:
  using A = accumulator_t<T>;
  /** Weights are not initialised. */
  Model(Ops<T>& ops, const ModelConfig& config);

  const ModelConfig& config() const { return config_; }
  const ParameterTable& parameters() const { return parameters_; }
  /** The device, and the order of what is asked of it: whoever asks by another stream waits for this one. */
  Ops<T>& ops() const { return ops_; }
  /** Master weights. Whoever writes them calls `refresh`. */
  A* data() const { return arena_.master(); }
  const WeightArena<T>& arena() const { return arena_; }
  void refresh() { arena_.refresh(ops_); }
  /** Where a forward pass reads. */
  ModelWeights<T> weights() const { return weights_in<T>(arena_.rounded(), parameters_, config_); }
  /** Normal of 0.02, output projections scaled by 1 / sqrt(2 layers), norms 1, biases 0; drawn by Philox. */
  void initialise(uint64_t seed);
  /** Fails with `Code::not_finite` and the tensor's name. */
  void check_finite() const;
  /** How often the weights were changed by a step. Every token that is sampled carries it. */
  int64_t version = 0;

 private:
  Ops<T>& ops_;
  ModelConfig config_;
  ParameterTable parameters_;
  WeightArena<T> arena_;
};

}  // namespace palestra
