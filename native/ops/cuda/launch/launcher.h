#pragma once
#include <cstddef>

namespace palestra::cuda {

/** Number of blocks of a launch. If a side is 0, nothing is launched. */
struct Grid {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

/** Runs kernels in order: a stream of a device, or an emulator. */
class Launcher {
 public:
  virtual ~Launcher() = default;

  /**
   * @param kernel the name of a PALESTRA_KERNEL
   * @param threads number of threads per block, as the kernel declares it
   * @param shared_bytes shared memory per block
   * @param arguments the kernel's struct, which is copied
   */
  template <class Arguments>
  void launch(const char* kernel, Grid grid, int threads, size_t shared_bytes, const Arguments& arguments) {
    launch_kernel(kernel, grid, threads, shared_bytes, &arguments);
  }
  virtual int multiprocessors() const = 0;

 protected:
  virtual void launch_kernel(const char* kernel, Grid grid, int threads, size_t shared_bytes,
                             const void* arguments) = 0;
};

}  // namespace palestra::cuda
