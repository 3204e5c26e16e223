#pragma once
#include <string>
#include <vector>

#include "cuda-abi.h"

namespace palestra::cuda {

/** NVIDIA's driver library, loaded where it is: nothing of CUDA is needed to build or to start. */
class Driver {
 public:
  /**
   * One a process, loaded at the first call that succeeds: of $ENGINE_LIBCUDA where that is set, else of the places
   * where the driver lies.
   * @param why_not gets the reason where there is none, in a line
   */
  static const Driver* find(std::string* why_not = nullptr);

  /** Fails with `Code::device` where no library loads, one lacks a function, or it finds no device. */
  explicit Driver(const std::vector<std::string>& libraries);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

#define PALESTRA_MEMBER(name, parameters) CUresult(*name) parameters = nullptr;
  PALESTRA_CUDA_FUNCTIONS(PALESTRA_MEMBER)
#undef PALESTRA_MEMBER

  /**
   * A result that is no success, as a failure that names it: `Code::out_of_memory` where the driver has none,
   * `Code::device` else.
   * @param call what returned it: "cuMemAlloc"
   */
  void check(CUresult result, const char* call) const {
    if (result != CUDA_SUCCESS) fail(result, call);
  }
  [[noreturn]] void fail(CUresult result, const char* call) const;
  /** "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)" */
  std::string describe(CUresult result) const;

  /** The CUDA that it knows: 13000 is 13.0. */
  int version() const { return version_; }

 private:
  void load(const std::vector<std::string>& libraries);

  void* library_ = nullptr;
  int version_ = 0;
};

}  // namespace palestra::cuda
