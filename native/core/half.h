#pragma once
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define PALESTRA_EVERYWHERE __host__ __device__
#else
/** Marks functions that device kernels call as well. */
#define PALESTRA_EVERYWHERE
#endif

namespace palestra {

/** bfloat16: the upper half of a float. */
struct bf16 {
  uint16_t bits;
};

/** IEEE 754 binary16. */
struct f16 {
  uint16_t bits;
};

PALESTRA_EVERYWHERE inline float to_float(bf16 value) {
  const uint32_t bits = static_cast<uint32_t>(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/** Rounds to nearest, ties to even. NaN stays NaN. */
PALESTRA_EVERYWHERE inline bf16 to_bf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

float to_float(f16 value);
f16 to_f16(float value);

/** Converts a number to the type of activations, and back. */
template <class T>
inline T rounded_to(double value) {
  return static_cast<T>(value);
}
template <>
inline bf16 rounded_to(double value) {
  return to_bf16(static_cast<float>(value));
}
inline double widened(double value) { return value; }
inline double widened(bf16 value) { return to_float(value); }

}  // namespace palestra
