// The emulated driver's memory and copies.
#include <cstdlib>
#include <cstring>

#include "emulated-driver.h"

namespace palestra::cuda {

using namespace emulated;

namespace {

constexpr int poison = 0xff;

size_t used_of(int device) {
  size_t used = 0;
  for (const auto& [data, allocation] : machine().memory) used += allocation.device == device ? allocation.bytes : 0;
  return used;
}

/** Whether all of it is in one allocation of the current device. */
bool is_on_device(CUdeviceptr data, size_t bytes) {
  auto after = machine().memory.upper_bound(data);
  if (after == machine().memory.begin()) return false;
  const auto& [begin, allocation] = *--after;
  return data + bytes <= begin + allocation.bytes && allocation.device == current_device();
}

bool is_pinned(const void* data, size_t bytes) {
  auto after = machine().pinned.upper_bound(static_cast<char*>(const_cast<void*>(data)));
  if (after == machine().pinned.begin()) return false;
  const auto& [begin, size] = *--after;
  return static_cast<const char*>(data) + bytes <= begin + size;
}

bool is_stream(CUstream stream) { return machine().streams.count(stream) > 0; }

Work copying(void* to, const void* from, size_t bytes) {
  return [=] {
    std::memmove(to, from, bytes);
    return CUDA_SUCCESS;
  };
}

}  // namespace

CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  PALESTRA_BEGIN(context);
  *total = machine().options.memory;
  *free = *total - used_of(current_device());
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr* device, size_t bytes) {
  PALESTRA_BEGIN(context);
  if (const CUresult refusal = refuse_while_capturing()) return refusal;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > machine().options.memory - used_of(current_device())) return CUDA_ERROR_OUT_OF_MEMORY;
  void* data = nullptr;
  if (posix_memalign(&data, 256, bytes) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(data, poison, bytes);
  *device = reinterpret_cast<CUdeviceptr>(data);
  machine().memory[*device] = {bytes, current_device()};
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr device) {
  PALESTRA_BEGIN(context);
  if (const CUresult refusal = refuse_while_capturing()) return refusal;
  if (machine().memory.count(device) == 0) return CUDA_ERROR_INVALID_VALUE;
  for (CUstream stream : machine().streams) finish(stream);
  machine().memory.erase(device);
  std::free(reinterpret_cast<void*>(device));
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void** host, size_t bytes, unsigned) {
  PALESTRA_BEGIN(context);
  if (const CUresult refusal = refuse_while_capturing()) return refusal;
  *host = std::malloc(bytes);
  if (!*host) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(*host, poison, bytes);
  machine().pinned[static_cast<char*>(*host)] = bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void* host) {
  PALESTRA_BEGIN(context);
  if (machine().pinned.erase(static_cast<char*>(host)) == 0) return CUDA_ERROR_INVALID_VALUE;
  std::free(host);
  return CUDA_SUCCESS;
}

/** Reads pinned memory when the stream reaches the copy, and other memory at once. */
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_on_device(to, bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (is_pinned(from, bytes)) {
    ask(stream, copying(reinterpret_cast<void*>(to), from, bytes));
    return CUDA_SUCCESS;
  }
  const auto* begin = static_cast<const char*>(from);
  const auto kept = std::make_shared<std::vector<char>>(begin, begin + bytes);
  ask(stream, [=] { return copying(reinterpret_cast<void*>(to), kept->data(), bytes)(); });
  return CUDA_SUCCESS;
}

/** Writes pinned memory when the stream reaches the copy, and other memory before it returns. */
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_on_device(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  ask(stream, copying(to, reinterpret_cast<void*>(from), bytes));
  if (!is_pinned(to, bytes)) finish(stream);
  return machine().sticky;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_on_device(to, bytes) || !is_on_device(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  ask(stream, copying(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes));
  return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_on_device(to, bytes)) return CUDA_ERROR_INVALID_VALUE;
  ask(stream, [=] {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

}  // namespace palestra::cuda
