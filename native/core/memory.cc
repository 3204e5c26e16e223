#include "memory.h"

#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "available-memory.h"
#include "failure.h"

namespace palestra {

namespace {

[[noreturn]] void fail(const std::string& what, size_t bytes, size_t free, size_t budget) {
  throw Failure(Code::out_of_memory, "expected at most " + std::to_string(free) + " bytes for " + what +
                                         ", which are free of a budget of " + std::to_string(budget) +
                                         ", but received a request for " + std::to_string(bytes));
}

}  // namespace

void* Memory::take(size_t bytes, const std::string& what) {
  if (bytes == 0) return nullptr;
  size_t used = used_.load();
  do {
    if (bytes > budget_ - used) fail(what, bytes, budget_ - used, budget_);
  } while (!used_.compare_exchange_weak(used, used + bytes));
  void* data = nullptr;
  try {
    data = allocate(bytes);
    if (!data) {
      throw Failure(Code::out_of_memory, "expected " + std::to_string(bytes) + " bytes for " + what +
                                             " but received none from the device, with " + std::to_string(used) +
                                             " of a budget of " + std::to_string(budget_) + " in use" + shortage());
    }
  } catch (...) {
    used_.fetch_sub(bytes);
    throw;
  }
  size_t highest = highest_.load();
  while (highest < used + bytes && !highest_.compare_exchange_weak(highest, used + bytes)) {
  }
  return data;
}

void Memory::give_back(void* data, size_t bytes) noexcept {
  if (!data) return;
  release(data);
  used_.fetch_sub(bytes);
}

size_t HostMemory::available() { return available_memory(""); }

void* HostMemory::allocate(size_t bytes) {
  // Large arrays use huge pages if the system has them. Weights are read in full for every token, and small pages cost
  // a page-table walk every 4 KB.
  constexpr size_t huge_page = size_t{2} << 20;
  const bool large = bytes >= 2 * huge_page;
  // Other engines and processes may have allocated memory since the budget was set.
  if (large && bytes > available()) return nullptr;
  void* data = nullptr;
  if (posix_memalign(&data, large ? huge_page : alignment, bytes) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
  if (large) madvise(data, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
  return data;
}

void HostMemory::release(void* data) noexcept { free(data); }

}  // namespace palestra
