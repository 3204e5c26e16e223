#pragma once
#include <cstddef>
#include <cstdint>

#include "../../../core/cpu-features.h"

namespace palestra {

/**
 * Lines of a factor to pack: rows of a or columns of b. Element p of line j is `data[j * stride + p]` when lines lie
 * along k, else `data[p * stride + j]`.
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
 * The part of a product that one thread computes in one call: c (rows, columns) = or += a b over `units` of k.
 *
 * A panel holds lines of a factor side by side, unit by unit: unit u of line j is at `u * width + j`. A unit is the
 * part of k in one multiplication: one value, or a pair of bfloat16 values.
 */
template <class T>
struct GemmBlock {
  /** First factor: panels of `a_height` rows, `a_stride` units apart, or plain rows of T, `a_stride` apart. */
  const void* a;
  int64_t a_stride;
  int a_height;
  bool a_packed;
  /** Second factor: panels, `b_stride` units apart. */
  const void* b;
  int64_t b_stride;
  T* c;
  int64_t c_stride;
  int rows;
  int columns;
  int units;
  /** Prefetch distance of b in units. 0 when b is in the caches. */
  int units_ahead;
  bool add;
};

/** Kernels for one instruction set and type of the factors. */
template <class T>
struct GemmKernels {
  /** Name of the kernels, such as "avx2 6x16". */
  const char* name;
  /**
   * Largest number of rows of the tile whose sums stay in registers. The tile has rows of a panel of a, and the columns
   * of a panel of b.
   */
  int rows;
  int columns;
  /** Number of values of k in a unit. */
  int depth;
  size_t a_unit_bytes;
  size_t b_unit_bytes;
  /** Whether `multiply` also accepts a as plain rows. */
  bool takes_rows;
  /** Units of a panel of b that the inner caches keep while rows of a pass. */
  int cached_units;
  /** Multiply-adds in the time of one of the other kernels, for the size of a thread's work. */
  int speed;
  /** Packs at most `rows` lines into panels of `height`. Missing lines and values become zeros. */
  void (*pack_a)(void* panels, const GemmLines<T>& lines, int height);
  void (*pack_b)(void* panels, const GemmLines<T>& lines);
  /** Reads the `k` values of a line of a panel of b. */
  void (*unpack_b)(T* values, const void* panel, int line, int k);
  void (*multiply)(const GemmBlock<T>& block);
};

extern const GemmKernels<float> gemm_scalar, gemm_avx2, gemm_avx512;
extern const GemmKernels<double> gemm_scalar_double;
/**
 * Kernels for factors in bfloat16. The factors are widened as they are read, or multiplied as pairs by the processor.
 */
extern const GemmKernels<float> gemm_scalar_bf16, gemm_avx2_bf16, gemm_avx512_bf16, gemm_amx_bf16;

/**
 * Returns the fastest kernels that the machine supports. With `bf16` they round both factors to bfloat16, but for
 * double.
 */
template <class T>
const GemmKernels<T>& gemm_kernels(InstructionSet isa, bool bf16);

template <>
const GemmKernels<float>& gemm_kernels(InstructionSet isa, bool bf16);
template <>
const GemmKernels<double>& gemm_kernels(InstructionSet isa, bool bf16);

}  // namespace palestra
