#pragma once
#include <string>
#include <vector>

#include "cuda-abi.h"

namespace palestra::cuda {

/** NVIDIA's driver library, loaded at run time, so that building and starting need no CUDA. */
class Driver {
 public:
  /**
   * Returns the driver. A process loads the driver once, at the first call that succeeds: from $ENGINE_LIBCUDA if set,
   * else from the driver's usual places.
   *
   * @param why_not receives the reason for a failure, on one line
   */
  static const Driver* find(std::string* why_not = nullptr);

  /** Fails with `Code::device` when no library loads, a function is missing, or the machine has no device. */
  explicit Driver(const std::vector<std::string>& libraries);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

#define PALESTRA_MEMBER(name, parameters) CUresult(*name) parameters = nullptr;
  PALESTRA_CUDA_FUNCTIONS(PALESTRA_MEMBER)
#undef PALESTRA_MEMBER

  /**
   * Turns an error into a failure that names the error: `Code::out_of_memory` when the driver has no memory, else
   * `Code::device`.
   *
   * @param call the failed call: "cuMemAlloc"
   */
  void check(CUresult result, const char* call) const {
    if (result != CUDA_SUCCESS) fail(result, call);
  }
  [[noreturn]] void fail(CUresult result, const char* call) const;
  /** Describes a result: "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)". */
  std::string describe(CUresult result) const;

  /** The CUDA version that the driver supports: 13000 is 13.0. */
  int version() const { return version_; }

 private:
  void load(const std::vector<std::string>& libraries);

  void* library_ = nullptr;
  int version_ = 0;
};

}  // namespace palestra::cuda
