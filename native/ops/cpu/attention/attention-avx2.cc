#include <immintrin.h>

#include "attention-loops.h"

namespace palestra {
namespace {

struct Vector {
  using Scalar = float;
  using Narrow = Vector;
  static constexpr int lanes = 8, rows = 6, columns = 2;
  __m256 v;

  static Vector load(const float* from) { return {_mm256_loadu_ps(from)}; }
  void store(float* to) const { _mm256_storeu_ps(to, v); }
  static Vector broadcast(float x) { return {_mm256_set1_ps(x)}; }
  static Vector multiply_add(Vector a, Vector b, Vector c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
  static Vector add(Vector a, Vector b) { return {_mm256_add_ps(a.v, b.v)}; }
  static Vector subtract(Vector a, Vector b) { return {_mm256_sub_ps(a.v, b.v)}; }
  static Vector multiply(Vector a, Vector b) { return {_mm256_mul_ps(a.v, b.v)}; }
  /** Returns b when either is NaN. */
  static Vector max(Vector a, Vector b) { return {_mm256_max_ps(a.v, b.v)}; }
  static Vector zero_where_less(Vector x, Vector a, Vector b) {
    return {_mm256_and_ps(_mm256_cmp_ps(a.v, b.v, _CMP_NLT_UQ), x.v)};
  }
  static Vector power_of_two(Vector shifted) {
    const __m256i exponent = _mm256_slli_epi32(_mm256_castps_si256(shifted.v), 23);
    return {_mm256_castsi256_ps(_mm256_add_epi32(exponent, _mm256_set1_epi32(127 << 23)))};
  }
  static Vector exp(Vector x) { return exp_float(x); }
};

}  // namespace

const AttentionKernels<float>& attention_kernels_avx2() { return table_of<Vector>(); }

}  // namespace palestra
