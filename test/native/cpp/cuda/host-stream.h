#pragma once
#include <cstring>

#include "ops/stream.h"

namespace palestra::test {

/** Main memory that acts as a device's, for emulated kernels. */
class HostStream final : public Stream {
 public:
  explicit HostStream(size_t bytes = size_t{1} << 30) : memory_(bytes) {}

  Memory& memory() override { return memory_; }
  void upload(void* device, const void* host, size_t bytes) override { copy(device, host, bytes); }
  void download(void* host, const void* device, size_t bytes) override { copy(host, device, bytes); }
  void zero(void* data, size_t bytes) override { std::memset(data, 0, bytes); }
  void copy(void* to, const void* from, size_t bytes) override { std::memcpy(to, from, bytes); }

 private:
  HostMemory memory_;
};

}  // namespace palestra::test
