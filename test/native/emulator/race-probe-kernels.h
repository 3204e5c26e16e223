#pragma once
/**
 * What the tests of the race detector launch: kernels of two blocks of `threads` that have one race each, where they
 * are not told to order what they do. The kernels are in race-probe-kernels.cc, with what they race for.
 */
#include <cstdint>

namespace palestra::probe {

constexpr int race_blocks = 2;
/** Of a block, in shared memory and in global memory. */
constexpr int race_words = 256;

struct RaceProbe {
  /** (race_blocks, race_words), at a multiple of 16 bytes. */
  uint32_t* words;
  bool is_ordered;
};

}  // namespace palestra::probe
