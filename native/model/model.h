#pragma once
#include <atomic>

#include "../ops/ops.h"
#include "config.h"
#include "parameters.h"
#include "weights.h"

namespace palestra {

/** Master weights: one flat arena, and the adapters trained beside it. */
template <class T>
class Model {
 public:
  using A = accumulator_t<T>;
  /** Weights are not initialised. */
  Model(Ops<T>& ops, const ModelConfig& config);

  const ModelConfig& config() const { return config_; }
  const ParameterTable& parameters() const { return parameters_; }
  A* data() const { return arena_.data(); }
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
  Buffer<A> arena_;
};

}  // namespace palestra
