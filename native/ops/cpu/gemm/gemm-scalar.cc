#include "gemm-micro.h"

namespace palestra {

namespace {

/**
 * Kernels for any processor, in the compiler's own vectors of 16 bytes. The compiler fuses product and sum if the
 * processor can (AArch64). On x86-64 processors without fused operations the two are rounded separately, so the last
 * bits differ from the AVX2 kernels. All other guarantees of the sums hold.
 */
template <class Value>
struct Portable {
  using T = Value;
  using A = Value;
  using B = Value;
  typedef Value Vector __attribute__((vector_size(16)));
  using PackA = PlainUnits<Value>;
  using PackB = PlainUnits<Value>;
  static constexpr int lanes = 16 / sizeof(Value);
#if defined(__aarch64__)
  static constexpr int rows = 6;
  static constexpr int vectors = 4;
  static constexpr int most_sums = 24;
#else
  static constexpr int rows = 4;
  static constexpr int vectors = 2;
  static constexpr int most_sums = 8;
#endif
  static constexpr int depth = 1;
  static constexpr int substeps = 1;
  static constexpr bool takes_rows = true;

  static Vector zero() { return Vector{}; }
  static Vector load(const Value* c) {
    Vector v;
    std::memcpy(&v, c, sizeof v);
    return v;
  }
  static void store(Value* c, Vector v) { std::memcpy(c, &v, sizeof v); }
  static Vector load_b(const Value* b, int) { return load(b); }
  static Vector broadcast_a(const Value* a, int) { return *a - Vector{}; }
  static Vector multiply_add(Vector a, Vector b, Vector sum) { return sum + a * b; }
};

struct PortableBf16 : Portable<float> {
  using A = RoundedPair;
  using B = uint32_t;
  using PackA = RoundedPairs;
  using PackB = Bf16Pairs;
  static constexpr int depth = 2;
  static constexpr int substeps = 2;
  static constexpr bool takes_rows = false;
  /** The second value of the pair comes first, as in the bfloat16 instructions. */
  static Vector load_b(const uint32_t* b, int substep) {
    typedef uint32_t Words __attribute__((vector_size(16)));
    Words pairs;
    std::memcpy(&pairs, b, sizeof pairs);
    return reinterpret_cast<Vector>(substep == 0 ? pairs & 0xffff0000u : pairs << 16);
  }
  static Vector broadcast_a(const RoundedPair* a, int substep) { return a->values[1 - substep] - Vector{}; }
};

}  // namespace

const GemmKernels<float> gemm_scalar = kernels_of<Portable<float>>("scalar");
const GemmKernels<double> gemm_scalar_double = kernels_of<Portable<double>>("scalar double");
const GemmKernels<float> gemm_scalar_bf16 = kernels_of<PortableBf16>("scalar, bf16 widened");

}  // namespace palestra
