// The functions that a compiler calls before each memory access in code instrumented for ThreadSanitizer. Here they
// serve kernels, without its library. Compilers mostly skip stacks, constants and locals in registers.
#include <cstring>

#include "race-detector.h"

namespace {

using palestra::simt::Deed;
using palestra::simt::RaceDetector;

inline void tell(const void* data, size_t bytes, Deed deed, const void* place) {
  if (RaceDetector* const detector = RaceDetector::watching) detector->access(data, bytes, deed, place);
}

}  // namespace

#define PALESTRA_ACCESS(name, bytes, deed) \
  void __tsan_##name(void* data) { tell(data, bytes, Deed::deed, __builtin_return_address(0)); }
#define PALESTRA_ACCESSES(bytes)                       \
  PALESTRA_ACCESS(read##bytes, bytes, read)            \
  PALESTRA_ACCESS(write##bytes, bytes, write)          \
  PALESTRA_ACCESS(unaligned_read##bytes, bytes, read)  \
  PALESTRA_ACCESS(unaligned_write##bytes, bytes, write)

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

PALESTRA_ACCESSES(1)
PALESTRA_ACCESSES(2)
PALESTRA_ACCESSES(4)
PALESTRA_ACCESSES(8)
PALESTRA_ACCESSES(16)
void __tsan_read_range(void* data, size_t bytes) { tell(data, bytes, Deed::read, __builtin_return_address(0)); }
void __tsan_write_range(void* data, size_t bytes) { tell(data, bytes, Deed::write, __builtin_return_address(0)); }

// Called by Clang instead of the functions that copy.
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  tell(from, bytes, Deed::read, __builtin_return_address(0));
  tell(to, bytes, Deed::write, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  tell(from, bytes, Deed::read, __builtin_return_address(0));
  tell(to, bytes, Deed::write, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, size_t bytes) {
  tell(to, bytes, Deed::write, __builtin_return_address(0));
  return std::memset(to, value, bytes);
}
}
