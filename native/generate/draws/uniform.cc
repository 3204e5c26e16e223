#include "uniform.h"

#include "../../core/philox.h"

namespace palestra {

double uniform_at(uint64_t seed, uint64_t stream, uint32_t position) {
  const auto words = philox({position, static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32), 0},
                            {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  return (static_cast<double>(words[0] >> 5) * 0x1p26 + static_cast<double>(words[1] >> 6)) * 0x1p-53;
}

}  // namespace palestra
