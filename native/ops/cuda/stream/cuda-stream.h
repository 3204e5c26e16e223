#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "../../stream.h"
#include "../driver/cuda-device.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

enum class Priority { low, high };

/**
 * A stream of a CUDA device. The class also makes copies through pinned memory, waits, and recordings (CUDA graphs). A
 * failure of the driver is a `Failure` with the driver's name for the error and the failed call.
 */
class CudaStream final : public Stream, public Launcher {
 public:
  CudaStream(CudaDevice& device, Priority priority);
  ~CudaStream() override;

  Memory& memory() override { return device_.memory(); }
  void upload(void* device, const void* host, size_t bytes) override;
  void download(void* host, const void* device, size_t bytes) override;
  void zero(void* data, size_t bytes) override;
  void copy(void* to, const void* from, size_t bytes) override;
  bool is_done() override;
  void wait_for(Stream& other) override;
  void replay(std::unique_ptr<Recording>& recording, const std::function<void()>& body) override;
  std::string why_no_recording() const override;

  int multiprocessors() const override { return device_.properties().multiprocessors; }
  CudaDevice& device() { return device_; }
  /** The driver's handle, for libraries that use the stream, such as cuBLAS. */
  CUstream handle() const;
  /**
   * Number of failed recordings. The body of a failed recording runs each time instead. 0 unless an error has occurred.
   */
  int64_t failed_recordings() const;

 private:
  void launch_kernel(const char* kernel, Grid grid, int threads, size_t shared_bytes, const void* arguments) override;

  CudaDevice& device_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra::cuda
