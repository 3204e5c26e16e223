#pragma once
#include <memory>

#include "../../../core/memory.h"
#include "primary-context.h"

namespace palestra::cuda {

/** The memory of a CUDA device. Freeing waits until the device has finished its queued work. */
class CudaMemory final : public Memory {
 public:
  CudaMemory(std::shared_ptr<const PrimaryContext> context, size_t budget_bytes)
      : Memory(budget_bytes), context_(std::move(context)) {}
  /** Returns the number of bytes that no process holds. */
  static size_t available(const PrimaryContext& context);

 protected:
  void* allocate(size_t bytes) override;
  void release(void* data) noexcept override;
  std::string shortage() override;

 private:
  const std::shared_ptr<const PrimaryContext> context_;
};

}  // namespace palestra::cuda
