#pragma once
#include "ops/cuda/launch/launcher.h"

namespace palestra::cuda {

/** Runs kernels immediately, in this thread. */
class EmulatedLauncher final : public Launcher {
 public:
  /** @param reversed whether blocks and threads run from the last to the first */
  explicit EmulatedLauncher(bool reversed = false, int multiprocessors = 4)
      : reversed_(reversed), multiprocessors_(multiprocessors) {}
  int multiprocessors() const override { return multiprocessors_; }

 protected:
  /** Ends the program when no kernel has that name, or it has another number of threads. */
  void launch_kernel(const char* kernel, Grid grid, int threads, size_t shared_bytes, const void* arguments) override;

 private:
  const bool reversed_;
  const int multiprocessors_;
};

}  // namespace palestra::cuda
