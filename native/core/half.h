#pragma once
#include <cstdint>
#include <cstring>

namespace palestra {

/** bfloat16: the upper half of a float. */
struct bf16 {
  uint16_t bits;
};

/** IEEE 754 binary16. */
struct f16 {
  uint16_t bits;
};

inline float to_float(bf16 value) {
  const uint32_t bits = static_cast<uint32_t>(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/** Nearest, ties to even; NaN stays NaN. */
inline bf16 to_bf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

float to_float(f16 value);
f16 to_f16(float value);

}  // namespace palestra
