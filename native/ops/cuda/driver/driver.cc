#include "driver.h"

#include <dlfcn.h>

#include <mutex>

#include "../../../core/failure.h"
#include "environment.h"

namespace palestra::cuda {

namespace {

std::vector<std::string> usual_libraries() {
  if (std::string chosen = variable("ENGINE_LIBCUDA"); !chosen.empty()) return {chosen};
  return {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"};
}

}  // namespace

const Driver* Driver::find(std::string* why_not) {
  static std::mutex mutex;
  static const Driver* found = nullptr;  // Never unloaded, because threads may run driver code when the process ends.
  const std::lock_guard<std::mutex> lock(mutex);
  try {
    if (!found) found = new Driver(usual_libraries());
  } catch (const Failure& failure) {
    if (why_not) *why_not = failure.what();
  }
  return found;
}

Driver::Driver(const std::vector<std::string>& libraries) {
  try {
    load(libraries);
    check(cuInit(0), "cuInit");
    check(cuDriverGetVersion(&version_), "cuDriverGetVersion");
  } catch (...) {
    if (library_) dlclose(library_);
    throw;
  }
}

Driver::~Driver() { dlclose(library_); }

void Driver::load(const std::vector<std::string>& libraries) {
  std::string reasons;
  std::string loaded;
  for (const std::string& name : libraries) {
    // The library stays loaded, because unloading after a failed cuInit can crash some drivers.
    library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library_) {
      loaded = name;
      break;
    }
    reasons += (reasons.empty() ? "" : "; ") + std::string(dlerror());
  }
  if (!library_) throw Failure(Code::device, "expected NVIDIA's driver, but received none: " + reasons);
  const auto find = [&](const char* name) {
    void* function = dlsym(library_, name);
    if (function) return function;
    throw Failure(Code::device,
                  "expected NVIDIA's driver for CUDA 12 or newer, but received " + loaded + " without " + name);
  };
#define PALESTRA_LOAD(name, parameters) name = reinterpret_cast<CUresult(*) parameters>(find(#name));
  PALESTRA_CUDA_FUNCTIONS(PALESTRA_LOAD)
#undef PALESTRA_LOAD
}

std::string Driver::describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name) return "CUDA error " + std::to_string(result);
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || !text) return name;
  return std::string(name) + " (" + text + ")";
}

void Driver::fail(CUresult result, const char* call) const {
  const Code code = result == CUDA_ERROR_OUT_OF_MEMORY ? Code::out_of_memory : Code::device;
  throw Failure(code, std::string("expected ") + call + " to succeed, but received " + describe(result));
}

}  // namespace palestra::cuda
