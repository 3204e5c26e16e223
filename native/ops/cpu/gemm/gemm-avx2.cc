#include <immintrin.h>

#include "gemm-micro.h"

namespace palestra {

namespace {

struct Avx2 {
  using T = float;
  using Vector = __m256;
  static constexpr int lanes = 8;
  // 12 sums, 2 columns and a row use 15 of the 16 registers. 12 sums keep two multiplications per cycle in flight.
  static constexpr int rows = 6;
  static constexpr int vectors = 2;
  static constexpr int most_sums = 12;

  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const float* c) { return _mm256_loadu_ps(c); }
  static void store(float* c, Vector v) { _mm256_storeu_ps(c, v); }
  static Vector multiply_add(Vector a, Vector b, Vector sum) { return _mm256_fmadd_ps(a, b, sum); }
};

struct Avx2F32 : Avx2 {
  using A = float;
  using B = float;
  using PackA = PlainUnits<float>;
  using PackB = PlainUnits<float>;
  static constexpr int depth = 1;
  static constexpr int substeps = 1;
  static constexpr bool takes_rows = true;
  static Vector load_b(const float* b, int) { return _mm256_loadu_ps(b); }
  static Vector broadcast_a(const float* a, int) { return _mm256_broadcast_ss(a); }
};

struct Avx2Bf16 : Avx2 {
  // The pairs, the mask and their intermediates also take registers. With 6 rows the compiler would keep sums in
  // memory.
  static constexpr int rows = 4;
  using A = RoundedPair;
  using B = uint32_t;
  using PackA = RoundedPairs;
  using PackB = Bf16Pairs;
  static constexpr int depth = 2;
  static constexpr int substeps = 2;
  static constexpr bool takes_rows = false;
  /** The second value of the pair comes first, as in the bfloat16 instructions. */
  static Vector load_b(const uint32_t* b, int substep) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
    return _mm256_castsi256_ps(substep == 0 ? _mm256_and_si256(pairs, _mm256_set1_epi32(static_cast<int>(0xffff0000)))
                                            : _mm256_slli_epi32(pairs, 16));
  }
  static Vector broadcast_a(const RoundedPair* a, int substep) { return _mm256_broadcast_ss(&a->values[1 - substep]); }
};

}  // namespace

const GemmKernels<float> gemm_avx2 = kernels_of<Avx2F32>("avx2 6x16");
const GemmKernels<float> gemm_avx2_bf16 = kernels_of<Avx2Bf16>("avx2 4x16, bf16 widened");

}  // namespace palestra
