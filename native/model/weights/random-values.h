#pragma once
#include <cmath>
#include <cstdint>
#include <utility>

#include "../../core/philox.h"

namespace palestra {

/** Random values of a tensor. Each value depends on (seed, tensor, index) alone. */
class RandomValues {
 public:
  RandomValues(uint64_t seed, uint32_t tensor)
      : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}, tensor_(tensor) {}

  /** Returns four uniform values in [0, 1), for the indices 4 block to 4 block + 3. */
  std::array<float, 4> uniforms(uint64_t block) const {
    const auto words = philox({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), tensor_, 0}, key_);
    return {uniform(words[0]), uniform(words[1]), uniform(words[2]), uniform(words[3])};
  }

  /** Returns four standard normal values (Box and Muller 1958). */
  std::array<float, 4> normals(uint64_t block) const {
    const std::array<float, 4> u = uniforms(block);
    std::array<float, 4> values;
    for (int pair = 0; pair < 4; pair += 2) {
      const float radius = std::sqrt(-2 * std::log(1 - u[pair]));
      const float angle = 6.28318531f * u[pair + 1];
      values[pair] = radius * std::cos(angle);
      values[pair + 1] = radius * std::sin(angle);
    }
    return values;
  }

 private:
  std::array<uint32_t, 2> key_;
  uint32_t tensor_;
};

}  // namespace palestra
