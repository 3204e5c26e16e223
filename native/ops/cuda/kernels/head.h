#pragma once
#include "layout.h"

namespace palestra::cuda {

/** Of a block, which has one row of logits. */
constexpr int head_threads = 512;

/** One row for each block. Statistics as `TokenStatistics`. */
struct RowStatistics {
  float* log_sum;
  float* logprob;
  float* entropy;         // or null
  const float* logits;    // (rows, vocabulary)
  const int32_t* targets;  // (rows)
  int vocabulary;
  double inverse_temperature;
  float factor;  // of `height_factor`
  bool wide;
};

/**
 * Replaces a row's logits by their gradient, as T, which begins where they did.
 */
struct LogitsGradient {
  float* logits;           // (rows, vocabulary)
  const float* log_sum;    // (rows), and so the others
  const float* entropy;    // where there is an entropy gradient
  const float* logprob_gradient;  // or null
  const float* entropy_gradient;  // or null
  const int32_t* targets;
  int vocabulary;
  float inverse_temperature;
  bool wide;
};

/**
 * A token's height is (logit - highest) * factor: its probability, relative to the highest, is 2^height. The factor is
 * finite, so that the highest has height 0 at any temperature.
 */
inline float height_factor(float temperature) {
  constexpr float log2_e = 1.44269504f, largest = 3.0e38f;
  const float factor = log2_e / temperature;
  return factor < largest ? factor : largest;
}

constexpr size_t head_shared_bytes = sizeof(double) * head_threads / 32;

}  // namespace palestra::cuda
