#pragma once
#include <string>
#include <type_traits>

#include "../../ops/ops.h"

namespace palestra {

/**
 * Master weights in one flat array and, when activations have another type, a rounded copy at the same offsets. The
 * arrays are zero at first, because the gaps between tensors must hold numbers.
 */
template <class T>
class WeightArena {
 public:
  using A = accumulator_t<T>;
  WeightArena() = default;
  WeightArena(Ops<T>& ops, size_t size, const std::string& what)
      : master_(ops.memory(), size, what), rounded_(ops.memory(), is_rounded ? size : 0, what) {
    ops.zero(master_.data(), master_.bytes());
    refresh(ops);
  }

  size_t size() const { return master_.size(); }
  A* master() const { return master_.data(); }
  /** Weights in the type of the activations; the master weights themselves where T is A. */
  T* rounded() const {
    if constexpr (is_rounded) return rounded_.data();
    else return master_.data();
  }
  /** Returns the copy that `Ops::adamw` writes beside the master weights from this offset on. Null where T is A. */
  T* rounded_by_step(size_t offset) const { return is_rounded ? rounded() + offset : nullptr; }
  /** Rounds the weights again after code other than a step has changed the master weights. */
  void refresh(Ops<T>& ops) {
    if (is_rounded) ops.round(rounded(), master(), size());
  }

 private:
  static constexpr bool is_rounded = !std::is_same<T, A>::value;

  Buffer<A> master_;
  Buffer<T> rounded_;
};

}  // namespace palestra
