#include <immintrin.h>

#include "gemm-micro.h"

namespace palestra {

namespace {

struct Avx512F32 {
  using T = float;
  using A = float;
  using B = float;
  using Vector = __m512;
  using PackA = PlainUnits<float>;
  using PackB = PlainUnits<float>;
  static constexpr int lanes = 16;
  static constexpr int rows = 8;
  static constexpr int vectors = 2;
  static constexpr int most_sums = 24;
  static constexpr int depth = 1;
  static constexpr int substeps = 1;
  static constexpr bool takes_rows = true;

  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const float* c) { return _mm512_loadu_ps(c); }
  static void store(float* c, Vector v) { _mm512_storeu_ps(c, v); }
  static Vector load_b(const float* b, int) { return _mm512_loadu_ps(b); }
  static Vector broadcast_a(const float* a, int) { return _mm512_set1_ps(*a); }
  static Vector multiply_add(Vector a, Vector b, Vector sum) { return _mm512_fmadd_ps(a, b, sum); }
};

}  // namespace

const GemmKernels<float> gemm_avx512 = kernels_of<Avx512F32>("avx512 8x32");

}  // namespace palestra
