#pragma once
#include <cstddef>
#include <cstdint>

namespace palestra::cuda {

/** Whether data begins at a multiple of that many bytes. True for null. */
inline bool is_aligned(const void* data, size_t bytes = 16) { return reinterpret_cast<uintptr_t>(data) % bytes == 0; }

template <class... T>
bool are_aligned(const T*... data) {
  return (is_aligned(data) && ...);
}

/** Whether all rows with this stride begin at a multiple of that many bytes. */
inline bool are_rows_aligned(const void* data, int64_t stride_bytes) {
  return is_aligned(data) && stride_bytes % 16 == 0;
}

}  // namespace palestra::cuda
