#pragma once
#include <cstdint>

namespace palestra {

/**
 * Dropout (Srivastava et al. 2014) of the inputs of adapters, as in PEFT: an element is 0 with the probability `rate`, and
 * else divided by 1 - rate.
 *
 * The element of a column is decided by word column % 4 of philox({column / 4, position, sequence, map}, key). So a
 * sequence has the same mask in every pack, on every device, and when its activations are computed again.
 */
struct Dropout {
  /** From 0, which drops nothing, to below 1. */
  float rate = 0;
  /** Random numbers of a train step. */
  uint32_t key[2] = {};
  /** Number of the linear map. */
  uint32_t map = 0;
  const uint32_t* sequences = nullptr;  // (rows), on the device: a number of the row's sequence
  const int32_t* positions = nullptr;   // (rows), on the device: the row's position in its sequence
};

}  // namespace palestra
