#pragma once
#include "../../core/memory.h"
#include "../ops.h"
#include "kernels/sampling.h"
#include "launcher.h"

namespace palestra::cuda {

/** Draws tokens on the device. Rules and masks go there in one piece, of which the memory grows with the most met. */
class CudaSampler {
 public:
  explicit CudaSampler(Memory& memory) : memory_(memory) {}
  /** As `Ops::sample`. Waits. */
  void sample(Stream& stream, Launcher& launcher, Choice* choices, const float* logits, int vocabulary,
              const std::vector<Draw>& draws);

 private:
  void stage(const std::vector<Draw>& draws, int vocabulary);

  Memory& memory_;
  /** Rules, then masks, as they lie on the device. */
  std::vector<char> staged_;
  std::vector<DrawnToken> drawn_;
  Buffer<char> device_;  // what is staged, then the tokens
};

}  // namespace palestra::cuda
