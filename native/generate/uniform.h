#pragma once
#include <cstdint>

namespace palestra {

/** A uniform number in [0, 1) of 53 random bits, that of this position of this stream. */
double uniform_at(uint64_t seed, uint64_t stream, uint32_t position);

}  // namespace palestra
