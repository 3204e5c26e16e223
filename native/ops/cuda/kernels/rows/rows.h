#pragma once
#include "../../../dropout.h"
#include "layout.h"

namespace palestra::cuda {

constexpr int rows_threads = 256;

/** Returns the number of blocks when each thread has one of `items` items. */
constexpr unsigned item_blocks(int64_t items) {
  return static_cast<unsigned>((items + rows_threads - 1) / rows_threads);
}

/** One thread per chunk of each row of y (rows, width). */
template <class T>
struct GatherRows {
  Strided<T> y;
  Strided<const T> x;
  const int32_t* indices;  // (rows): indices of rows of x
  int width;
  int rows;
  bool wide;
};

template <class T>
struct ScatterRows {
  Strided<T> x;
  Strided<const T> y;
  const int32_t* indices;  // (rows): indices of rows of x
  int width;
  int rows;
  bool wide;
};

template <class T>
struct DropRows {
  Strided<T> y;
  Strided<const T> x;
  Dropout dropout;
  int width;
  int rows;
  /** Whether the kernel adds to the destination. */
  bool adds;
  bool wide;
};

template <class T>
struct ScaleRows {
  Strided<T> x;
  float factor;
  int width;
  int rows;
  bool wide;
};

template <class T>
struct RepeatRow {
  Strided<T> y;
  const T* row;  // (width)
  int width;
  int rows;
  /** Whether the kernel adds to the destination. */
  bool adds;
  bool wide;
};

/** One thread per eight adjacent elements. */
constexpr int neighbours = 8;

template <class T>
struct RoundValues {
  T* to;
  const float* from;
  int64_t n;
  /** Whether source and destination begin at multiples of 16 bytes. */
  bool aligned;
};

struct AddValues {
  float* to;
  const float* from;
  int64_t n;
  bool aligned;
};

}  // namespace palestra::cuda
