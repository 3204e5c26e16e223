#pragma once
#include <vector>

#include "../model/weights/config.h"
#include "../model/weights/weights.h"

namespace palestra {

/**
 * A generator's own copy of the weights, with matrices packed for reading. The copy stays unchanged while training
 * writes the master weights. A tied head and embedding are stored once.
 *
 * When steps are recorded, the class has two arenas, which doubles the memory: 1 GB more for 0.5 B parameters in bf16.
 * A copy fills the unused arena and is swapped in when it is complete, so a failed copy leaves the earlier weights.
 */
template <class T>
class PackedWeights {
 public:
  /** @param dtype type of the matrices; vectors keep the type T */
  PackedWeights(Ops<T>& ops, const ModelConfig& config, Dtype dtype) : ops_(ops), config_(config), dtype_(dtype) {}

  /** @param master weights, row-major, with their adapters; the shapes must not change between calls */
  void copy(const ModelWeights<T>& master);
  const ModelWeights<T>& get() const { return weights_; }

 private:
  class Placement;
  ModelWeights<T> place(const ModelWeights<T>& master, Placement& placement) const;

  Ops<T>& ops_;
  const ModelConfig config_;
  const Dtype dtype_;
  std::vector<Buffer<char>> arenas_;
  size_t current_ = 0;
  ModelWeights<T> weights_;
};

}  // namespace palestra
