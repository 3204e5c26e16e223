#include "emulated-driver.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "emulated-cuda.h"

namespace palestra::cuda::emulated {

namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value ? value : otherwise;
}

/** "cuMemAlloc_v2:3=2,kernel:10=700" */
std::map<std::string, std::map<int, CUresult>> parse_faults(const std::string& text) {
  std::map<std::string, std::map<int, CUresult>> faults;
  std::istringstream all(text);
  for (std::string fault; std::getline(all, fault, ',');) {
    char function[64];
    int number = 0;
    unsigned result = 0;
    if (std::sscanf(fault.c_str(), "%63[^:]:%d=%u", function, &number, &result) != 3) {
      std::fprintf(stderr, "emulated driver: expected a fault as cuMemAlloc_v2:3=2, but received %s\n", fault.c_str());
      std::abort();
    }
    faults[function][number] = static_cast<CUresult>(result);
  }
  return faults;
}

bool is_sticky(CUresult result) {
  return result >= CUDA_ERROR_ILLEGAL_ADDRESS && result <= CUDA_ERROR_LAUNCH_FAILED;
}

template <class Handles>
void delete_all(Handles& handles) {
  for (auto* handle : handles) delete handle;
  handles.clear();
}

}  // namespace

Options Options::read() {
  Options options;
  options.devices = std::stoi(variable("EMULATED_CUDA_DEVICES", "1"));
  std::istringstream capabilities(variable("EMULATED_CUDA_CAPABILITY", "9.0"));
  for (std::string one; std::getline(capabilities, one, ',');) {
    options.capabilities.push_back(static_cast<int>(std::lround(10 * std::stod(one))));
  }
  options.version = std::stoi(variable("EMULATED_CUDA_VERSION", "13000"));
  options.memory = std::stoull(variable("EMULATED_CUDA_MEMORY", "1073741824"));
  options.reversed = variable("EMULATED_CUDA_REVERSED", "0") == "1";
  options.faults = parse_faults(variable("EMULATED_CUDA_FAULTS", ""));
  return options;
}

Machine& machine() {
  static auto& only = *new Machine();
  return only;
}

CUresult Machine::count(const std::string& call) {
  const int number = ++calls[call];
  if (sticky != CUDA_SUCCESS) return sticky;
  const auto of_call = options.faults.find(call);
  if (of_call == options.faults.end()) return CUDA_SUCCESS;
  const auto fault = of_call->second.find(number);
  if (fault == of_call->second.end()) return CUDA_SUCCESS;
  if (is_sticky(fault->second)) sticky = fault->second;
  return fault->second;
}

void Machine::clear() {
  for (const auto& [data, allocation] : memory) std::free(reinterpret_cast<void*>(data));
  for (const auto& [data, bytes] : pinned) std::free(data);
  memory.clear();
  pinned.clear();
  delete_all(streams);
  delete_all(events);
  delete_all(graphs);
  delete_all(executables);
  delete_all(modules);
}

Call::Call(const char* function, Needs needs) : lock_(machine().mutex), refusal_(machine().count(function)) {
  if (refusal_ != CUDA_SUCCESS) return;
  if (!machine().initialised && std::string(function) != "cuInit") refusal_ = CUDA_ERROR_NOT_INITIALIZED;
  else if (needs == Needs::context && current_device() < 0) refusal_ = CUDA_ERROR_INVALID_CONTEXT;
}

}  // namespace palestra::cuda::emulated

using palestra::cuda::emulated::machine;
#pragma GCC visibility push(default)
extern "C" {

void emulated_cuda_reset() {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  machine().clear();
  machine().contexts.clear();
  machine().calls.clear();
  machine().sticky = palestra::cuda::CUDA_SUCCESS;
  machine().options = palestra::cuda::emulated::Options::read();
}

int emulated_cuda_live() {
  const auto& m = machine();
  return static_cast<int>(m.memory.size() + m.pinned.size() + m.contexts.size() + m.streams.size() + m.events.size() +
                          m.graphs.size() + m.executables.size() + m.modules.size());
}

int emulated_cuda_calls(const char* function) { return machine().calls[function]; }
}
#pragma GCC visibility pop

namespace palestra::cuda {

CUresult cuGetErrorName(CUresult error, const char** name) {
#define PALESTRA_NAME(value) \
  case value:                \
    *name = #value;          \
    return CUDA_SUCCESS;
  switch (error) {
    PALESTRA_NAME(CUDA_SUCCESS)
    PALESTRA_NAME(CUDA_ERROR_INVALID_VALUE)
    PALESTRA_NAME(CUDA_ERROR_OUT_OF_MEMORY)
    PALESTRA_NAME(CUDA_ERROR_NOT_INITIALIZED)
    PALESTRA_NAME(CUDA_ERROR_NO_DEVICE)
    PALESTRA_NAME(CUDA_ERROR_INVALID_DEVICE)
    PALESTRA_NAME(CUDA_ERROR_INVALID_IMAGE)
    PALESTRA_NAME(CUDA_ERROR_INVALID_CONTEXT)
    PALESTRA_NAME(CUDA_ERROR_NO_BINARY_FOR_GPU)
    PALESTRA_NAME(CUDA_ERROR_INVALID_HANDLE)
    PALESTRA_NAME(CUDA_ERROR_NOT_FOUND)
    PALESTRA_NAME(CUDA_ERROR_NOT_READY)
    PALESTRA_NAME(CUDA_ERROR_ILLEGAL_ADDRESS)
    PALESTRA_NAME(CUDA_ERROR_LAUNCH_FAILED)
    PALESTRA_NAME(CUDA_ERROR_NOT_SUPPORTED)
    PALESTRA_NAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
    PALESTRA_NAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
    PALESTRA_NAME(CUDA_ERROR_UNKNOWN)
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  const char* name = nullptr;
  const CUresult known = cuGetErrorName(error, &name);
  *text = known == CUDA_SUCCESS ? "emulated" : nullptr;
  return known;
}

}  // namespace palestra::cuda
