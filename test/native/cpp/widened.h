#pragma once
#include <vector>

#include "ops/ops.h"

namespace palestra::test {

using Values = std::vector<float>;

inline size_t area(int rows, int width) { return static_cast<size_t>(rows) * width; }

/** (rows, width) without gaps. */
template <class T>
Values widen(Rows<T> x, int width, int rows) {
  Values values(area(rows, width));
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < width; ++i) values[area(row, width) + i] = to_float(x[row][i]);
  }
  return values;
}

inline Values widen(const bf16* x, size_t n) { return widen(Rows<const bf16>{x, 0}, static_cast<int>(n), 1); }

inline void put(Rows<bf16> to, const Values& values, int width, int rows) {
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < width; ++i) to[row][i] = to_bf16(values[area(row, width) + i]);
  }
}

/** A weight in the form of the CPU's operations for float. */
struct WidenedWeight {
  explicit WidenedWeight(const Weight& w) : weight(w) {
    if (w.packed) return;
    values = widen(static_cast<const bf16*>(w.data), area(w.out, w.in));
    weight.data = values.data();
    weight.dtype = Dtype::f32;
  }
  WidenedWeight(const WidenedWeight&) = delete;

  Values values;
  Weight weight;
};

}  // namespace palestra::test
