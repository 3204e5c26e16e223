#pragma once
#include <cstdint>

namespace palestra {

/** Returns a uniform number in [0, 1) from 53 random bits. Seed, stream and position determine the number. */
double uniform_at(uint64_t seed, uint64_t stream, uint32_t position);

}  // namespace palestra
