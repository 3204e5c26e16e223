#pragma once
#include <cstdint>

#include "../../../core/half.h"

/** How rows lie in memory and how kernels over rows cut them up: for the kernels and for those who launch them. */
namespace palestra::cuda {

/** Elements that a thread takes at once: 16 bytes, the most that one load brings. */
template <class T>
constexpr int chunk_size = 16 / sizeof(T);

/** Chunks of a row, the last one perhaps in part. */
template <class T>
PALESTRA_EVERYWHERE constexpr int chunks_of(int width) {
  return (width + chunk_size<T> - 1) / chunk_size<T>;
}

/** `Rows` of ops.h as kernels take them. */
template <class T>
struct Strided {
  T* data;
  int64_t stride;

  PALESTRA_EVERYWHERE T* operator[](int64_t row) const { return data + row * stride; }
};

/**
 * Rows whose sums over the rows are made first, one sum of each group; groups are then added in order. So calls that
 * begin at a multiple of it give the bits of one call.
 */
constexpr int group_rows = 16;

}  // namespace palestra::cuda
