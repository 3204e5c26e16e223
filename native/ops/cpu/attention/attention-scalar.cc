#include <cmath>

#include "attention-loops.h"

namespace palestra {
namespace {

/** Sixteen bytes of T in the compiler's own vectors, available in SSE2 and NEON. */
template <class T>
struct Portable {
  using Scalar = T;
  using Narrow = Portable;
  static constexpr int lanes = 16 / sizeof(T), rows = 4, columns = 2;
  typedef T Native __attribute__((vector_size(16)));
  Native v;

  static Portable load(const T* from) {
    Portable result;
    __builtin_memcpy(&result.v, from, sizeof result.v);
    return result;
  }
  void store(T* to) const { __builtin_memcpy(to, &v, sizeof v); }
  static Portable broadcast(T x) { return {x - Native{}}; }
  static Portable multiply_add(Portable a, Portable b, Portable c) { return {a.v * b.v + c.v}; }
  static Portable add(Portable a, Portable b) { return {a.v + b.v}; }
  static Portable subtract(Portable a, Portable b) { return {a.v - b.v}; }
  static Portable multiply(Portable a, Portable b) { return {a.v * b.v}; }
  /** Returns b when either is NaN. */
  static Portable max(Portable a, Portable b) { return {a.v > b.v ? a.v : b.v}; }
  static Portable zero_where_less(Portable x, Portable a, Portable b) { return {a.v < b.v ? Native{} : x.v}; }
  static Portable power_of_two(Portable shifted) {
    // The type is unsigned, because the bits of the rounder are shifted out.
    typedef uint32_t Bits __attribute__((vector_size(16)));
    Bits bits;
    __builtin_memcpy(&bits, &shifted.v, sizeof bits);
    bits = (bits << 23) + (127u << 23);
    Portable result;
    __builtin_memcpy(&result.v, &bits, sizeof bits);
    return result;
  }
  static Portable exp(Portable x) {
    if constexpr (sizeof(T) == sizeof(float)) {
      return exp_float(x);
    } else {
      for (int i = 0; i < lanes; ++i) x.v[i] = std::exp(x.v[i]);
      return x;
    }
  }
};

}  // namespace

const AttentionKernels<float>& attention_kernels_scalar() { return table_of<Portable<float>>(); }
const AttentionKernels<double>& attention_kernels_double() { return table_of<Portable<double>>(); }

template <>
const AttentionKernels<double>& attention_kernels<double>(InstructionSet) {
  return attention_kernels_double();
}

template <>
const AttentionKernels<float>& attention_kernels<float>(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa >= InstructionSet::avx512) return attention_kernels_avx512();
  if (isa == InstructionSet::avx2) return attention_kernels_avx2();
#endif
  (void)isa;
  return attention_kernels_scalar();
}

}  // namespace palestra
