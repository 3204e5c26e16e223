#pragma once
#include "../../../core/memory.h"
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::adamw`. */
template <class T>
void adamw(Launcher& launcher, float* weights, T* rounded, const float* gradients, float* first_moment,
           float* second_moment, size_t n, const AdamW& rule);

/** Sums of squares and their memory, allocated once. For one stream. */
class SquaredNorms {
 public:
  explicit SquaredNorms(Memory& memory);
  /** `Ops::squared_norm`. Waits for the result. */
  double of(Stream& stream, Launcher& launcher, const float* values, size_t n);

 private:
  Buffer<double> sums_;
  std::vector<double> staged_;
};

}  // namespace palestra::cuda
