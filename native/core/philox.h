#pragma once
#include <array>
#include <cstdint>

namespace palestra {

/**
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): random words as a
 * stateless function of a key and a counter. A draw with the address (seed, sequence, position) is equal in every
 * batch, order and device.
 */
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/** Returns a uniform number in [0, 1) from 24 random bits, which a float represents exactly. */
inline float uniform(uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

}  // namespace palestra
