#pragma once
#include "rows.h"

namespace palestra::cuda {

/** One thread per chunk of each row of y. */
template <class T>
struct SwiGlu {
  T* y;              // (rows, width)
  const T* gate_up;  // (rows, 2 * width)
  int width;
  int rows;
  bool wide;
};

template <class T>
struct SwiGluGradient {
  T* dgate_up;       // (rows, 2 * width), may be gate_up
  T* y;              // (rows, width), may be dy
  const T* dy;       // (rows, width)
  const T* gate_up;  // (rows, 2 * width)
  int width;
  int rows;
  bool wide;
};

}  // namespace palestra::cuda
