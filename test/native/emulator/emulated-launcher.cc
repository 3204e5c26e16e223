#include "emulated-launcher.h"

#include <cstdio>
#include <cstdlib>

#include "simt-emulated.h"

namespace palestra::cuda {

void EmulatedLauncher::launch_kernel(const char* name, Grid grid, int threads, size_t shared_bytes,
                                     const void* arguments) {
  const simt::Kernel* kernel = simt::find_kernel(name);
  if (!kernel || kernel->threads != threads) {
    std::fprintf(stderr, "emulated kernel: expected %s with %d threads, but received %s\n", name, threads,
                 kernel ? "one with others" : "none");
    std::abort();
  }
  simt::run_grid(*kernel, {grid.x, grid.y, grid.z}, shared_bytes, arguments, reversed_);
}

}  // namespace palestra::cuda
