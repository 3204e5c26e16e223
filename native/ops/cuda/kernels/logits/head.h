#pragma once
#include "../rows/layout.h"

namespace palestra::cuda {

/** Number of threads of a block, which computes one row of logits. */
constexpr int head_threads = 512;

/** Computes `TokenStatistics`, one row per block. */
struct RowStatistics {
  float* log_sum;
  float* logprob;
  float* entropy;         // or null
  const float* logits;    // (rows, vocabulary)
  const int32_t* targets;  // (rows)
  int vocabulary;
  double inverse_temperature;
  float factor;  // from `height_factor`
  bool wide;
};

/** Replaces a row's logits by their gradient, as T, from the same address on. */
struct LogitsGradient {
  float* logits;           // (rows, vocabulary)
  const float* log_sum;    // (rows), like the arrays below
  const float* entropy;    // null unless there is an entropy gradient
  const float* logprob_gradient;  // or null
  const float* entropy_gradient;  // or null
  const int32_t* targets;
  int vocabulary;
  float inverse_temperature;
  bool wide;
};

/**
 * Returns the factor of heights. A token's height is (logit - highest) * factor, and the token's probability relative
 * to the highest is 2^height. The factor is finite, so that the highest has height 0 at any temperature.
 */
inline float height_factor(float temperature) {
  constexpr float log2_e = 1.44269504f, largest = 3.0e38f;
  const float factor = log2_e / temperature;
  return factor < largest ? factor : largest;
}

constexpr size_t head_shared_bytes = sizeof(double) * head_threads / 32;

}  // namespace palestra::cuda
