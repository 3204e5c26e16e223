#include "core/philox.h"

#include <gtest/gtest.h>

namespace palestra {
namespace {

using Words = std::array<uint32_t, 4>;

/** The known answers that its authors publish with Random123. */
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UniformIsBelowOne) {
  EXPECT_EQ(uniform(0), 0.0f);
  EXPECT_LT(uniform(0xffffffff), 1.0f);
  EXPECT_EQ(uniform(0x80000000), 0.5f);
}

/** Chi-square of 256 cells over 2^16 draws: 255 degrees of freedom, 99.99 % below 347. */
TEST(Philox, UniformIsUniform) {
  std::array<int, 256> cells{};
  for (uint32_t i = 0; i < 1 << 14; ++i)
    for (const uint32_t word : philox({i, 0, 0, 0}, {7, 0})) ++cells[static_cast<int>(uniform(word) * 256)];
  double chi_square = 0;
  for (const int count : cells) chi_square += (count - 256.0) * (count - 256.0) / 256.0;
  EXPECT_LT(chi_square, 347);
}

}  // namespace
}  // namespace palestra
