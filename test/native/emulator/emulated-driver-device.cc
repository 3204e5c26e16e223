// The emulated driver's devices, contexts, modules and functions.
#include <cstring>
#include <sstream>

#include "emulated-driver.h"

namespace palestra::cuda {

using namespace emulated;

namespace {

thread_local CUcontext current = nullptr;

constexpr int most_shared_bytes = 227 << 10;

bool is_device(CUdevice device) { return device >= 0 && device < machine().options.devices; }

}  // namespace

int emulated::current_device() {
  for (const auto& [device, context] : machine().contexts) {
    if (context.get() == current) return device;
  }
  return -1;
}

CUresult cuInit(unsigned flags) {
  PALESTRA_BEGIN(nothing);
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (machine().options.devices == 0) return CUDA_ERROR_NO_DEVICE;
  machine().initialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  PALESTRA_BEGIN(nothing);
  *version = machine().options.version;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  PALESTRA_BEGIN(nothing);
  *count = machine().options.devices;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  PALESTRA_BEGIN(nothing);
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  PALESTRA_BEGIN(nothing);
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(name, bytes, "Emulated device %d", device);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  PALESTRA_BEGIN(nothing);
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = 4;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      *value = 1000000;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      *value = 128;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = machine().options.capability(device) / 10;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = machine().options.capability(device) % 10;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = most_shared_bytes;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  PALESTRA_BEGIN(nothing);
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = machine().options.memory;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  PALESTRA_BEGIN(nothing);
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  auto& held = machine().contexts[device];
  if (!held) held.reset(new CUctx_st{device});
  ++held->holders;
  *context = held.get();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  PALESTRA_BEGIN(nothing);
  const auto held = machine().contexts.find(device);
  if (held == machine().contexts.end()) return CUDA_ERROR_INVALID_CONTEXT;
  if (--held->second->holders == 0) machine().contexts.erase(held);
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  PALESTRA_BEGIN(nothing);
  current = context;
  return current_device() < 0 ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  PALESTRA_BEGIN(context);
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}

/** An image is the word "emulated", followed by a capability if it is for one architecture only: "emulated 9.0". */
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  PALESTRA_BEGIN(context);
  if (const CUresult refusal = refuse_while_capturing()) return refusal;
  std::istringstream words(static_cast<const char*>(image));
  std::string word, only_for;
  words >> word >> only_for;
  const int capability = machine().options.capability(current_device());
  if (word != "emulated") return CUDA_ERROR_INVALID_IMAGE;
  if (!only_for.empty() && only_for != std::to_string(capability / 10) + "." + std::to_string(capability % 10)) {
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  *module = *machine().modules.insert(new CUmod_st()).first;
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
  PALESTRA_BEGIN(context);
  if (machine().modules.erase(module) == 0) return CUDA_ERROR_INVALID_HANDLE;
  delete module;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  PALESTRA_BEGIN(context);
  if (machine().modules.count(module) == 0) return CUDA_ERROR_INVALID_HANDLE;
  const simt::Kernel* const kernel = simt::find_kernel(name);
  if (!kernel) return CUDA_ERROR_NOT_FOUND;
  const int ptx_version = machine().options.capability(current_device()) < 90 ? 80 : 90;
  *function = &module->functions.emplace(name, CUfunc_st{kernel, ptx_version}).first->second;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  PALESTRA_BEGIN(context);
  if (attribute != CU_FUNC_ATTRIBUTE_PTX_VERSION) return CUDA_ERROR_INVALID_VALUE;
  *value = function->ptx_version;
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  PALESTRA_BEGIN(context);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > most_shared_bytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  function->shared_limit = static_cast<size_t>(value);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, uint32_t, void*, const uint64_t*, const uint64_t*,
                                const uint32_t*, const uint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  PALESTRA_BEGIN(context);
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace palestra::cuda
