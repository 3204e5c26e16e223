#pragma once
/**
 * Kernels for the tests of the race detector. Each has two blocks of `threads` and one race, unless it is told to order
 * its accesses. race-probe-kernels.cc defines them and describes the races.
 */
#include <cstdint>

namespace palestra::probe {

constexpr int race_blocks = 2;
/** Number of words of a block, in shared memory and in global memory. */
constexpr int race_words = 256;

struct RaceProbe {
  /** (race_blocks, race_words), aligned to 16 bytes. */
  uint32_t* words;
  bool is_ordered;
};

}  // namespace palestra::probe
