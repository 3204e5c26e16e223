#pragma once
#include <memory>
#include <string>

#include "../../core/memory.h"
#include "driver.h"

namespace palestra::cuda {

class PrimaryContext;

/** What a device is, as the driver tells it. */
struct Properties {
  std::string name;
  int major;
  int minor;
  int multiprocessors;
  /** Of a block, where a kernel asks for it. */
  int shared_bytes;
  /** In bytes a second, of clock and bus. */
  double memory_bandwidth;
  size_t total_bytes;
};

/**
 * A CUDA device: its primary context, the kernels loaded from the files beside the library, its memory. Made where a
 * driver, a device of sm_80 or higher and the kernels are all there; else `find` says why not.
 */
class CudaDevice {
 public:
  /**
   * @param memory_bytes the budget; 0: nine tenths of what is free
   * Fails with `Code::device` where there is none to use.
   */
  explicit CudaDevice(int ordinal, size_t memory_bytes);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  /** The first that can be used, as its properties say; -1: none. @param why_not gets the reason of the first, a line */
  static int find(std::string* why_not);

  const Driver& driver() const { return driver_; }
  const Properties& properties() const { return properties_; }
  Memory& memory() { return *memory_; }
  /** Fails with `Code::internal` where no module has it. */
  CUfunction kernel(const char* name);
  /** Whether a module has it and this device can run it: kernels for Hopper alone, say. */
  bool has_kernel(const char* name);
  /** The device is this thread's from here on. Streams and memory see to it themselves. */
  void use();
  /** For those who make driver objects of their own and may outlive the device. */
  std::shared_ptr<const PrimaryContext> context() const;

 private:
  const Driver& driver_;
  Properties properties_;
  std::unique_ptr<Memory> memory_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra::cuda
