#include <immintrin.h>

#include "attention-loops.h"

namespace palestra {
namespace {

struct Half {
  using Scalar = float;
  using Narrow = Half;
  static constexpr int lanes = 8, rows = 6, columns = 1;
  __m256 v;

  static Half load(const float* from) { return {_mm256_loadu_ps(from)}; }
  void store(float* to) const { _mm256_storeu_ps(to, v); }
  static Half broadcast(float x) { return {_mm256_set1_ps(x)}; }
  static Half multiply_add(Half a, Half b, Half c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
};

struct Vector {
  using Scalar = float;
  using Narrow = Half;
  static constexpr int lanes = 16, rows = 6, columns = 2;
  __m512 v;

  static Vector load(const float* from) { return {_mm512_loadu_ps(from)}; }
  void store(float* to) const { _mm512_storeu_ps(to, v); }
  static Vector broadcast(float x) { return {_mm512_set1_ps(x)}; }
  static Vector multiply_add(Vector a, Vector b, Vector c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
  static Vector add(Vector a, Vector b) { return {_mm512_add_ps(a.v, b.v)}; }
  static Vector subtract(Vector a, Vector b) { return {_mm512_sub_ps(a.v, b.v)}; }
  static Vector multiply(Vector a, Vector b) { return {_mm512_mul_ps(a.v, b.v)}; }
  // The code uses the masked forms, since GCC 12's own header causes warnings for the plain forms.
  static constexpr __mmask16 all = 0xffff;
  /** Returns the maximum, or b when either value is NaN. */
  static Vector max(Vector a, Vector b) { return {_mm512_maskz_max_ps(all, a.v, b.v)}; }
  static Vector zero_where_less(Vector x, Vector a, Vector b) {
    return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_NLT_UQ), x.v)};
  }
  static Vector power_of_two(Vector shifted) {
    const __m512i exponent = _mm512_maskz_slli_epi32(all, _mm512_castps_si512(shifted.v), 23);
    return {_mm512_castsi512_ps(_mm512_add_epi32(exponent, _mm512_set1_epi32(127 << 23)))};
  }
  static Vector exp(Vector x) { return exp_float(x); }
};

}  // namespace

const AttentionKernels<float>& attention_kernels_avx512() { return table_of<Vector>(); }

}  // namespace palestra
