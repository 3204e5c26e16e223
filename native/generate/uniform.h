#pragma once
#include <cstdint>

namespace palestra {

/** Returns a uniform number in [0, 1) from 53 random bits, fixed by seed, stream and position. */
double uniform_at(uint64_t seed, uint64_t stream, uint32_t position);

}  // namespace palestra
