#pragma once
#include <vector>

#include "../model/config.h"
#include "../model/weights.h"

namespace palestra {

/**
 * A generator's own copy of the weights, matrices packed for reading: it stays what it is while training changes the
 * master weights. A tied head is the embedding, once.
 *
 * Where steps are recorded there are two arenas, which costs as much memory again: 1 GB for 0.5 B parameters in bf16. A
 * copy goes to the one that is not read and comes into use as a whole, so that one which fails leaves the weights before.
 */
template <class T>
class PackedWeights {
 public:
  /** @param dtype of the matrices; vectors stay T */
  PackedWeights(Ops<T>& ops, const ModelConfig& config, Dtype dtype) : ops_(ops), config_(config), dtype_(dtype) {}

  /** @param master row-major, with the adapters that are attached; the same shapes each time */
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
