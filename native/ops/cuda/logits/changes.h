#pragma once
#include "../../../core/memory.h"
#include "../../ops.h"
#include "../kernels/logits/changes.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/**
 * Changes logits on the device. The memory for the changes and for the logits before them grows to the largest size so
 * far.
 */
class CudaLogitChanges {
 public:
  explicit CudaLogitChanges(Memory& memory) : memory_(memory) {}
  /** `Ops::change_logits`. */
  void change(Stream& stream, Launcher& launcher, float* logits, int vocabulary,
              const std::vector<LogitChange>& changes);
  /** `Ops::restore_logits`. */
  void restore(Launcher& launcher, float* logits);

 private:
  void launch(Launcher& launcher, float* logits, bool restores);

  Memory& memory_;
  std::vector<ChangedLogit> staged_;
  Buffer<ChangedLogit> changes_;
  Buffer<float> kept_;
};

}  // namespace palestra::cuda
