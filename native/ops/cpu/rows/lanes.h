#pragma once
#include <cstdint>
#include <cstring>

/**
 * Vectors of 64 bytes, for every register width. A reduction has the same 16 (float) or 8 (double) lanes everywhere.
 * Only for the translation units of the kernels. Everything is local to each unit, because the units are compiled for
 * different machines and the linker must not merge them.
 */
#pragma GCC diagnostic ignored "-Wpsabi"  // No function here is called across translation units.

namespace palestra {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

#define PALESTRA_INLINE inline __attribute__((always_inline))

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  static constexpr int count = 64 / sizeof(T);
  static constexpr int parts = 64 / vector_bytes;
  static constexpr int part_count = count / parts;

  Vector part[parts];

  static PALESTRA_INLINE Lanes all(T value) {
    Lanes result;
    for (int i = 0; i < parts; ++i) result.part[i] = Vector{} + value;
    return result;
  }
  static PALESTRA_INLINE Lanes load(const T* from) {
    Lanes result;
    std::memcpy(&result, from, sizeof result);
    return result;
  }
  /** Returns the first n values of `from`, followed by values of `rest`. */
  static PALESTRA_INLINE Lanes load(const T* from, int n, T rest) {
    T values[count];
    for (int i = 0; i < count; ++i) values[i] = i < n ? from[i] : rest;
    return load(values);
  }
  PALESTRA_INLINE void store(T* to) const { std::memcpy(to, this, sizeof *this); }
  PALESTRA_INLINE void store(T* to, int n) const {
    T values[count];
    store(values);
    for (int i = 0; i < n; ++i) to[i] = values[i];
  }
};

#define PALESTRA_LANES(op)                                                \
  template <class T>                                                      \
  PALESTRA_INLINE Lanes<T> operator op(Lanes<T> a, const Lanes<T>& b) {   \
    for (int i = 0; i < Lanes<T>::parts; ++i) a.part[i] = a.part[i] op b.part[i]; \
    return a;                                                             \
  }
PALESTRA_LANES(+)
PALESTRA_LANES(-)
PALESTRA_LANES(*)
PALESTRA_LANES(/)
#undef PALESTRA_LANES

/** Computes a b + c, fused where the machine supports a fused operation. */
template <class T>
PALESTRA_INLINE Lanes<T> multiply_add(Lanes<T> a, const Lanes<T>& b, const Lanes<T>& c) {
  for (int i = 0; i < Lanes<T>::parts; ++i) a.part[i] = a.part[i] * b.part[i] + c.part[i];
  return a;
}

/** Keeps a NaN of b. */
template <class T>
PALESTRA_INLINE Lanes<T> larger(Lanes<T> a, const Lanes<T>& b) {
  for (int i = 0; i < Lanes<T>::parts; ++i) a.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
  return a;
}

/** Reduces in a fixed tree, half onto half. */
template <class T>
PALESTRA_INLINE T sum(const Lanes<T>& lanes) {
  T values[Lanes<T>::count];
  lanes.store(values);
  for (int half = Lanes<T>::count / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) values[i] += values[i + half];
  }
  return values[0];
}

template <class T>
PALESTRA_INLINE T largest(const Lanes<T>& lanes) {
  T values[Lanes<T>::count];
  lanes.store(values);
  for (int i = 1; i < Lanes<T>::count; ++i) values[0] = values[0] > values[i] ? values[0] : values[i];
  return values[0];
}

/**
 * Computes exp within 2 ulp: x = n ln 2 + r, |r| <= ln 2 / 2. Taylor's polynomial of degree 7 has a relative error
 * below 6e-9 in this range. 2^n is applied in two factors, so that results pass through the subnormal numbers and
 * overflow to infinity.
 */
PALESTRA_INLINE Lanes<float> exponential(Lanes<float> lanes) {
  using Vector = Lanes<float>::Vector;
  typedef int32_t Integers __attribute__((vector_size(vector_bytes)));
  constexpr float round_to_integer = 0x1.8p23f;
  for (int i = 0; i < Lanes<float>::parts; ++i) {
    Vector x = lanes.part[i];
    x = x > 89.0f ? Vector{} + 89.0f : x;
    x = x < -105.0f ? Vector{} - 105.0f : x;
    const Vector shifted = x * 1.44269504f + round_to_integer;
    const Integers n = reinterpret_cast<Integers>(shifted) - 0x4b400000;
    const Vector whole = shifted - round_to_integer;
    Vector r = x - whole * 0.693359375f;  // ln 2 in two parts; the product of n and the first part is exact
    r = r + whole * 2.12194440e-4f;
    Vector p = r * (1.0f / 5040) + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * (r * r) + (r + 1.0f);
    const Integers half = n >> 1;
    const Vector first = reinterpret_cast<Vector>((half + 127) << 23);
    const Vector second = reinterpret_cast<Vector>((n - half + 127) << 23);
    lanes.part[i] = p * first * second;
  }
  return lanes;
}

/** Proofs in double use the exact function. */
PALESTRA_INLINE Lanes<double> exponential(Lanes<double> lanes) {
  double values[Lanes<double>::count];
  lanes.store(values);
  for (double& value : values) value = __builtin_exp(value);
  return Lanes<double>::load(values);
}

}  // namespace
}  // namespace palestra
