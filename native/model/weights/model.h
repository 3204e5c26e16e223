#pragma once
#include <atomic>

#include "../../ops/ops.h"
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
  /** Makes a model with uninitialized weights. */
  Model(Ops<T>& ops, const ModelConfig& config);

  const ModelConfig& config() const { return config_; }
  const ParameterTable& parameters() const { return parameters_; }
  /** The device and its stream. Work on another stream must wait for this stream. */
  Ops<T>& ops() const { return ops_; }
  /** Master weights. Call `refresh` after writing to the weights. */
  A* data() const { return arena_.master(); }
  const WeightArena<T>& arena() const { return arena_; }
  void refresh() { arena_.refresh(ops_); }
  /** Weights that a forward pass reads. */
  ModelWeights<T> weights() const { return weights_in<T>(arena_.rounded(), parameters_, config_); }
  /**
   * Draws weights by Philox: normal with deviation 0.02, output projections scaled by 1 / sqrt(2 layers), norms 1,
   * biases 0.
   */
  void initialise(uint64_t seed);
  /** Fails with `Code::not_finite` and the name of the tensor if a weight is not finite. */
  void check_finite() const;
  /** Number of steps that have changed the weights. Every sampled token carries this number. */
  int64_t version = 0;

 private:
  Ops<T>& ops_;
  ModelConfig config_;
  ParameterTable parameters_;
  WeightArena<T> arena_;
};

}  // namespace palestra
