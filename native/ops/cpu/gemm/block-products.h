#pragma once
#include <algorithm>

#include "../../ops.h"
#include "gemm-kernels.h"
#include "gemm-tiling.h"

namespace palestra {

/**
 * Products of small blocks by one thread, in memory of the caller, for operations that multiply between their own
 * steps. Factors are packed once and then multiplied in parts. Each element of c is the chain that `Gemm` describes.
 */
template <class T>
class BlockProducts {
 public:
  explicit BlockProducts(const GemmKernels<T>& kernels) : kernels_(kernels) {}

  /** The first factor: panels, or the caller's rows where the kernels read these. */
  struct Left {
    const void* data;
    int64_t stride;  // between panels or rows, in units
    int height;
    bool packed;
    int rows;
  };
  /** The second factor, in panels. */
  struct Right {
    const uint8_t* data;
    int64_t stride;  // between panels, in units
  };

  /** Returns the number of elements of T that a factor needs with `lines` rows or columns over k. */
  size_t left_elements(int lines, int k) const { return elements(lines, k, kernels_.rows, kernels_.a_unit_bytes); }
  size_t right_elements(int lines, int k) const { return elements(lines, k, kernels_.columns, kernels_.b_unit_bytes); }

  Left pack_left(T* to, const GemmLines<T>& rows) const {
    const int height = height_for(rows.count, kernels_.rows);
    if (kernels_.takes_rows && rows.along_k) return {rows.data, rows.stride, height, false, rows.count};
    kernels_.pack_a(to, rows, height);
    return {to, int64_t{units(rows.k)} * height, height, true, rows.count};
  }
  Right pack_right(T* to, const GemmLines<T>& columns) const {
    kernels_.pack_b(to, columns);
    return right(to, columns.k);
  }
  /** Returns the factor that `pack_right` made there. */
  Right right(const T* from, int k) const {
    return {reinterpret_cast<const uint8_t*>(from), int64_t{units(k)} * kernels_.columns};
  }
  /** Returns the factor from a column and a value of k on, multiples of the panels' columns and of the units. */
  Right part(const Right& b, int column, int k) const {
    const int64_t unit = column / kernels_.columns * b.stride + int64_t{k / kernels_.depth} * kernels_.columns;
    return {b.data + unit * kernels_.b_unit_bytes, b.stride};
  }

  /** Computes c (rows of a, columns) = or += a b over k. */
  void multiply(Rows<T> c, const Left& a, const Right& b, int columns, int k, Into into) const {
    const int a_unit = a.packed ? a.height : 1;
    GemmBlock<T> block{a.data, a.stride, a.height, a.packed, b.data, b.stride, c.data, c.stride,
                       a.rows, columns, 0, 0, into == Into::add};
    for (int u = 0; u < units(k); u += kernels_.cached_units) {
      block.a = static_cast<const uint8_t*>(a.data) + int64_t{u} * a_unit * kernels_.a_unit_bytes;
      block.b = b.data + int64_t{u} * kernels_.columns * kernels_.b_unit_bytes;
      block.units = std::min(kernels_.cached_units, units(k) - u);
      kernels_.multiply(block);
      block.add = true;
    }
  }

 private:
  int units(int k) const { return ceil_divide(k, kernels_.depth); }
  size_t elements(int lines, int k, int width, size_t unit_bytes) const {
    return ceil_divide<size_t>(static_cast<size_t>(round_up(lines, width)) * units(k) * unit_bytes, sizeof(T));
  }

  const GemmKernels<T>& kernels_;
};

}  // namespace palestra
