#include "core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace palestra {
namespace {

/** IEEE 754's definition of binary16, field by field. */
double value_of(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                           : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                          : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Half, ReadsAllValues) {
  for (int bits = 0; bits < 65536; ++bits) {
    const double expected = value_of(static_cast<uint16_t>(bits));
    const float value = to_float(f16{static_cast<uint16_t>(bits)});
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
    }
    ASSERT_EQ(std::signbit(value), bits >= 32768) << bits;
  }
}

TEST(Half, WritesAllValuesBack) {
  for (int bits = 0; bits < 65536; ++bits) {
    const int quiet = std::isnan(value_of(static_cast<uint16_t>(bits))) ? 0x200 : 0;
    ASSERT_EQ(to_f16(to_float(f16{static_cast<uint16_t>(bits)})).bits, bits | quiet);
  }
}

TEST(Half, RoundsToNearestTiesToEven) {
  for (int bits = 0; bits < 0x7bff; ++bits) {
    const float low = to_float(f16{static_cast<uint16_t>(bits)});
    const float high = to_float(f16{static_cast<uint16_t>(bits + 1)});
    const float middle = low + (high - low) / 2;
    ASSERT_EQ(to_f16(middle).bits, bits + (bits & 1)) << bits;
    ASSERT_EQ(to_f16(std::nextafter(middle, low)).bits, bits) << bits;
    ASSERT_EQ(to_f16(std::nextafter(middle, high)).bits, bits + 1) << bits;
    ASSERT_EQ(to_f16(-middle).bits, 0x8000 | (bits + (bits & 1))) << bits;
  }
}

TEST(Half, OverflowsToInfinityAndUnderflowsToZero) {
  EXPECT_EQ(to_f16(std::nextafter(65520.0f, 0.0f)).bits, 0x7bff);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(-std::numeric_limits<float>::max()).bits, 0xfc00);
  EXPECT_EQ(to_f16(0x1p-25f).bits, 0);
  EXPECT_EQ(to_f16(-std::numeric_limits<float>::denorm_min()).bits, 0x8000);
}

TEST(Half, Bfloat16RoundsToNearestTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const bf16 value{static_cast<uint16_t>(bits)};
    const float low = to_float(value);
    ASSERT_EQ(to_bf16(low).bits, bits);
    const uint32_t middle_bits = bits << 16 | 0x8000;
    float middle;
    std::memcpy(&middle, &middle_bits, sizeof middle);
    ASSERT_EQ(to_bf16(middle).bits, bits + (bits & 1));
    ASSERT_EQ(to_bf16(-middle).bits, 0x8000 | (bits + (bits & 1)));
    ASSERT_EQ(to_bf16(std::nextafter(middle, 0.0f)).bits, bits);
    ASSERT_EQ(to_bf16(std::nextafter(middle, INFINITY)).bits, bits + 1);
  }
}

TEST(Half, Bfloat16KeepsNanAndInfinity) {
  EXPECT_EQ(to_bf16(INFINITY).bits, 0x7f80);
  EXPECT_EQ(to_bf16(-INFINITY).bits, 0xff80);
  for (const uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0xffffffffu}) {
    float nan;
    std::memcpy(&nan, &bits, sizeof nan);
    EXPECT_TRUE(std::isnan(to_float(to_bf16(nan)))) << bits;
  }
}

}  // namespace
}  // namespace palestra
