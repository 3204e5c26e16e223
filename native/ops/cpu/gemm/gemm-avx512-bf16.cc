#include <immintrin.h>

#include "gemm-micro.h"

namespace palestra {

namespace {

/** Like `Bf16Pairs`, but rounded by the processor, which treats subnormal floats as 0. */
struct Avx512Pairs : Bf16Pairs {
  static constexpr bool transposes = true;
  static __m256i eight_units(const float* values) {
    return reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_loadu_ps(values)));
  }
};

struct Avx512Bf16 {
  using T = float;
  using A = uint32_t;
  using B = uint32_t;
  using Vector = __m512;
  using PackA = Avx512Pairs;
  using PackB = Avx512Pairs;
  static constexpr int lanes = 16;
  static constexpr int rows = 8;
  static constexpr int vectors = 2;
  static constexpr int most_sums = 24;
  static constexpr int depth = 2;
  static constexpr int substeps = 1;
  static constexpr bool takes_rows = false;

  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const float* c) { return _mm512_loadu_ps(c); }
  static void store(float* c, Vector v) { _mm512_storeu_ps(c, v); }
  // Float registers hold the bits. Only `multiply_add` interprets them.
  static Vector load_b(const uint32_t* b, int) { return _mm512_loadu_ps(b); }
  static Vector broadcast_a(const uint32_t* a, int) {
    return _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(*a)));
  }
  static Vector multiply_add(Vector a, Vector b, Vector sum) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
};

}  // namespace

const GemmKernels<float> gemm_avx512_bf16 = kernels_of<Avx512Bf16>("avx512bf16 8x32");

}  // namespace palestra
