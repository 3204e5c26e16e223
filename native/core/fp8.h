#pragma once
#include "half.h"

namespace palestra {

/**
 * fp8 e4m3 (Micikevicius et al. 2022): 4 bits of exponent with bias 7, 3 of fraction, no infinity, NaN 0x7f and 0xff.
 */
constexpr float largest_fp8 = 448;

/** Rounds to nearest, ties to even. A value beyond the largest fp8 becomes the largest fp8. NaN stays NaN. */
PALESTRA_EVERYWHERE inline uint8_t to_fp8(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint8_t sign = static_cast<uint8_t>(bits >> 24 & 0x80u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7fu;
  if (magnitude >= 0x43e00000u) return sign | 0x7eu;
  if (magnitude < 0x3c800000u) {
    // Below 2^-6 the last place is worth 2^-9, as for floats in [2^14, 2^15), so the addition rounds.
    float rounded;
    memcpy(&rounded, &magnitude, sizeof rounded);
    rounded += 16384.0f;
    uint32_t rounded_bits;
    memcpy(&rounded_bits, &rounded, sizeof rounded_bits);
    return static_cast<uint8_t>(sign | (rounded_bits - 0x46800000u));
  }
  const uint32_t rebiased = magnitude - ((127u - 7u) << 23);
  return static_cast<uint8_t>(sign | ((rebiased + 0x7ffffu + ((rebiased >> 20) & 1u)) >> 20));
}

PALESTRA_EVERYWHERE inline float from_fp8(uint8_t value) {
  const uint32_t sign = static_cast<uint32_t>(value & 0x80u) << 24;
  const uint32_t magnitude = value & 0x7fu;
  uint32_t bits;
  if (magnitude == 0x7fu) {
    bits = 0x7fc00000u;
  } else if (magnitude >= 8) {
    bits = (magnitude << 20) + ((127u - 7u) << 23);
  } else {
    const float small = static_cast<float>(magnitude) * 0.001953125f;  // 2^-9
    memcpy(&bits, &small, sizeof bits);
  }
  bits |= sign;
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

}  // namespace palestra
