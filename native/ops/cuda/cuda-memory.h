#pragma once
#include <memory>

#include "../../core/memory.h"
#include "primary-context.h"

namespace palestra::cuda {

/** The memory of a CUDA device. Giving back waits until the device has done what it was asked. */
class CudaMemory final : public Memory {
 public:
  CudaMemory(std::shared_ptr<const PrimaryContext> context, size_t budget_bytes)
      : Memory(budget_bytes), context_(std::move(context)) {}
  /** Bytes that no process holds now. */
  static size_t available(const PrimaryContext& context);

 protected:
  void* allocate(size_t bytes) override;
  void release(void* data) noexcept override;
  std::string shortage() override;

 private:
  const std::shared_ptr<const PrimaryContext> context_;
};

}  // namespace palestra::cuda
