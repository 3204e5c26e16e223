#pragma once
#include <vector>

#include "../weights/config.h"

namespace palestra {

/**
 * Returns the rotary frequencies of a head's pairs (head_dim / 2): theta^(-2i / head_dim). Linear scaling divides all
 * frequencies by `rope_factor`. llama3 scaling, from Llama 3.1, divides only frequencies with wavelengths beyond the
 * trained context, and partly those near it.
 */
std::vector<float> rope_frequencies(const ModelConfig& config);

}  // namespace palestra
