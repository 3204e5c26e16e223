#pragma once
#include <cstdint>

#include "../../../../core/half.h"

/** The layout of rows in memory and their division among threads, for the kernels and their callers. */
namespace palestra::cuda {

/** Elements that a thread reads at once: 16 bytes, the longest load. */
template <class T>
constexpr int chunk_size = 16 / sizeof(T);

/** Number of chunks of a row. The last chunk may be partial. */
template <class T>
PALESTRA_EVERYWHERE constexpr int chunks_of(int width) {
  return (width + chunk_size<T> - 1) / chunk_size<T>;
}

/** `Rows` of ops.h, for kernels. */
template <class T>
struct Strided {
  T* data;
  int64_t stride;

  PALESTRA_EVERYWHERE T* operator[](int64_t row) const { return data + row * stride; }
};

/**
 * Number of rows in a group. Sums over rows are made per group first, and the groups are added in order. Calls that
 * begin at a multiple of `group_rows` give the bits of one call.
 */
constexpr int group_rows = 16;

}  // namespace palestra::cuda
