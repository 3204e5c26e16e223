#include "cuda-memory.h"

namespace palestra::cuda {

size_t CudaMemory::available(const PrimaryContext& context) {
  size_t free = 0, total = 0;
  context.use();
  context.driver().check(context.driver().cuMemGetInfo_v2(&free, &total), "cuMemGetInfo");
  return free;
}

void* CudaMemory::allocate(size_t bytes) {
  CUdeviceptr data = 0;
  context_->use();
  const CUresult result = context_->driver().cuMemAlloc_v2(&data, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
  context_->driver().check(result, "cuMemAlloc");
  return reinterpret_cast<void*>(data);
}

void CudaMemory::release(void* data) noexcept {
  if (context_->try_use()) context_->driver().cuMemFree_v2(reinterpret_cast<CUdeviceptr>(data));
}

std::string CudaMemory::shortage() {
  return ", and " + std::to_string(available(*context_)) + " free on the device";
}

}  // namespace palestra::cuda
