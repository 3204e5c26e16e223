#pragma once
#include <vector>

#include "config.h"

namespace palestra {

/**
 * Rotary frequencies of a head's pairs (head_dim / 2): theta^(-2i / head_dim), divided by `rope_factor` where scaling
 * is linear; with llama3's, as Llama 3.1 came, only those whose wave is longer than the trained context allows, and
 * partly in between.
 */
std::vector<float> rope_frequencies(const ModelConfig& config);

}  // namespace palestra
