#include "rope.h"

#include <cmath>

namespace palestra {
namespace {

constexpr double pi = 3.14159265358979323846;

double llama3_frequency(const ModelConfig& config, double frequency) {
  const double context = config.rope_original_max_position_embeddings;
  const double wave = 2 * pi / frequency;
  if (wave < context / config.rope_high_freq_factor) return frequency;
  if (wave > context / config.rope_low_freq_factor) return frequency / config.rope_factor;
  const double smooth = (context / wave - config.rope_low_freq_factor) /
                        (static_cast<double>(config.rope_high_freq_factor) - config.rope_low_freq_factor);
  return (1 - smooth) * frequency / config.rope_factor + smooth * frequency;
}

}  // namespace

std::vector<float> rope_frequencies(const ModelConfig& config) {
  std::vector<float> frequencies(config.head_dim / 2);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    double frequency = std::pow(config.rope_theta, -2.0 * static_cast<double>(i) / config.head_dim);
    if (config.rope_scaling == RopeScaling::linear) frequency /= config.rope_factor;
    if (config.rope_scaling == RopeScaling::llama3) frequency = llama3_frequency(config, frequency);
    frequencies[i] = static_cast<float>(frequency);
  }
  return frequencies;
}

}  // namespace palestra
