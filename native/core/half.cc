#include "half.h"

namespace palestra {

float to_float(f16 value) {
  const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000u) << 16;
  const uint32_t exponent = (value.bits >> 10) & 0x1fu;
  const uint32_t fraction = value.bits & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const uint32_t biased = exponent == 31 ? 255 : exponent + (127 - 15);
  const uint32_t bits = sign | (biased << 23) | (fraction << 13);
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

f16 to_f16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu))};
  // 65520 is halfway between the largest f16 and its successor.
  if (magnitude >= 0x477ff000u) return {static_cast<uint16_t>(sign | 0x7c00u)};
  if (magnitude < 0x38800000u) {
    // Below 2^-14 the last place is worth 2^-24, as for floats in [0.5, 1), so the addition rounds.
    float rounded;
    std::memcpy(&rounded, &magnitude, sizeof rounded);
    rounded += 0.5f;
    uint32_t rounded_bits;
    std::memcpy(&rounded_bits, &rounded, sizeof rounded_bits);
    return {static_cast<uint16_t>(sign | (rounded_bits - 0x3f000000u))};
  }
  const uint32_t rebiased = magnitude - ((127u - 15u) << 23);
  const uint32_t rounded = rebiased + 0xfffu + ((rebiased >> 13) & 1u);
  return {static_cast<uint16_t>(sign | (rounded >> 13))};
}

}  // namespace palestra
