#pragma once
#include <cstddef>
#include <cstdint>

#include "../../core/cpu-features.h"

namespace palestra {

/**
 * Lines of a factor, to be packed: rows of a or columns of b. Element p of line j is `data[j * stride + p]` where it
 * lies along k, or `data[p * stride + j]`.
 */
template <class T>
struct GemmLines {
  const T* data;
  int64_t stride;
  bool along_k;
  int count;
  int k;
};

/**
 * A part of a product that one thread does in one go: c (rows, columns) = or += a b over `units` of k.
 *
 * Panels hold the lines of a factor side by side, unit by unit: unit u of line j of a panel is at `u * width + j`. A
 * unit is what one multiplication takes of k: one value, or a pair of bfloat16 values.
 */
template <class T>
struct GemmBlock {
  /** Panels of `a_height` rows, `a_stride` units apart; or plain rows of T, `a_stride` apart. */
  const void* a;
  int64_t a_stride;
  int a_height;
  bool a_packed;
  /** Panels, `b_stride` units apart. */
  const void* b;
  int64_t b_stride;
  T* c;
  int64_t c_stride;
  int rows;
  int columns;
  int units;
  /** How far before its use b is asked of memory; 0 where it is in the caches. */
  int units_ahead;
  bool add;
};

/** Kernels for one instruction set and type of the factors. */
template <class T>
struct GemmKernels {
  /** "avx2 6x16" */
  const char* name;
  /** The tile whose sums stay in registers: most rows of a panel of a, the columns of one of b. */
  int rows;
  int columns;
  /** Values of k in a unit. */
  int depth;
  size_t a_unit_bytes;
  size_t b_unit_bytes;
  /** Whether `multiply` takes a as plain rows too. */
  bool takes_rows;
  /** Lines into panels of `height`, at most `rows`; missing lines and values are zeros. */
  void (*pack_a)(void* panels, const GemmLines<T>& lines, int height);
  void (*pack_b)(void* panels, const GemmLines<T>& lines);
  void (*multiply)(const GemmBlock<T>& block);
};

extern const GemmKernels<float> gemm_scalar, gemm_avx2, gemm_avx512;
extern const GemmKernels<double> gemm_scalar_double;
/** Factors in bfloat16: widened as they are read, or multiplied as pairs by the processor. */
extern const GemmKernels<float> gemm_scalar_bf16, gemm_avx2_bf16, gemm_avx512_bf16;

}  // namespace palestra
