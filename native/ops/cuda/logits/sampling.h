#pragma once
#include "../../../core/memory.h"
#include "../../ops.h"
#include "../kernels/logits/sampling.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/**
 * Draws tokens on the device. Rules and masks are uploaded in one piece. The memory for this piece grows to the largest
 * size so far.
 */
class CudaSampler {
 public:
  explicit CudaSampler(Memory& memory) : memory_(memory) {}
  /** `Ops::sample`. Waits for the result. */
  void sample(Stream& stream, Launcher& launcher, Choice* choices, const float* logits, int vocabulary,
              const std::vector<Draw>& draws);

 private:
  void stage(const std::vector<Draw>& draws, int vocabulary);

  Memory& memory_;
  /** Rules followed by masks, in the layout of the device. */
  std::vector<char> staged_;
  std::vector<DrawnToken> drawn_;
  Buffer<char> device_;  // the staged data, followed by the tokens
};

}  // namespace palestra::cuda
