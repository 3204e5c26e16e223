#pragma once
#include "rows.h"

namespace palestra::cuda {

/** Computes turns (rows, head_size), the cosines followed by the sines, with one thread per pair. */
struct RotaryTurns {
  float* turns;
  const int32_t* positions;  // (rows)
  const float* frequencies;  // (head_size / 2)
  int head_size;
  int rows;
};

/** One thread per chunk of the lower half of a head and the same chunk of its upper half. */
template <class T>
struct Rotate {
  Strided<T> x;
  const float* turns;  // (rows, head_size)
  int heads;
  int head_size;
  int rows;
  float direction;
  bool wide;
};

}  // namespace palestra::cuda
