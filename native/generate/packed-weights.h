#pragma once
#include "../model/config.h"
#include "../model/weights.h"

namespace palestra {

/**
 * A generator's own copy of the weights, matrices packed for reading: it stays what it is while training changes the
 * master weights. A tied head is the embedding, once.
 */
template <class T>
class PackedWeights {
 public:
  /** @param dtype of the matrices; vectors stay T */
  PackedWeights(Ops<T>& ops, const ModelConfig& config, Dtype dtype) : ops_(ops), config_(config), dtype_(dtype) {}

  /** @param master row-major, with the adapters that are attached; the same shapes each time */
  void copy(const ModelWeights<T>& master);
  const ModelWeights<T>& get() const { return weights_; }
  size_t bytes() const { return arena_.bytes(); }

 private:
  class Placement;
  ModelWeights<T> place(const ModelWeights<T>& master, Placement& placement) const;

  Ops<T>& ops_;
  const ModelConfig config_;
  const Dtype dtype_;
  Buffer<char> arena_;
  ModelWeights<T> weights_;
};

}  // namespace palestra
