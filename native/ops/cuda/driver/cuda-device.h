#pragma once
#include <memory>
#include <string>

#include "../../../core/memory.h"
#include "driver.h"

namespace palestra::cuda {

class PrimaryContext;

/** Properties of a device, as reported by the driver. */
struct Properties {
  std::string name;
  int major;
  int minor;
  int multiprocessors;
  /** Limit on the bytes of shared memory per block that a kernel can request. */
  int shared_bytes;
  /** Memory bandwidth in bytes per second, computed from clock and bus width. */
  double memory_bandwidth;
  size_t total_bytes;
};

/**
 * A CUDA device: its primary context, the kernels loaded from the files beside the library, and its memory. The class
 * needs a driver, a device of sm_80 or higher, and the kernels. If one of them is missing, `find` names the missing
 * part.
 */
class CudaDevice {
 public:
  /**
   * Fails with `Code::device` when the device cannot be used.
   *
   * @param memory_bytes memory budget; 0: nine tenths of the free memory
   */
  explicit CudaDevice(int ordinal, size_t memory_bytes);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  /**
   * Returns the first usable device, or -1. @param why_not receives the reason why the first device cannot be used, on
   * one line
   */
  static int find(std::string* why_not);

  const Driver& driver() const { return driver_; }
  const Properties& properties() const { return properties_; }
  Memory& memory() { return *memory_; }
  /** Returns a kernel. Fails with `Code::internal` when no module has the kernel. */
  CUfunction kernel(const char* name);
  /**
   * Whether a module has the kernel and this device can run it. False, for example, for Hopper's kernels on other
   * devices.
   */
  bool has_kernel(const char* name);
  /** Makes the device current on this thread. Streams and memory call this method themselves. */
  void use();
  /** Context for owners of driver objects, which may outlive the device. */
  std::shared_ptr<const PrimaryContext> context() const;

 private:
  const Driver& driver_;
  Properties properties_;
  std::unique_ptr<Memory> memory_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra::cuda
