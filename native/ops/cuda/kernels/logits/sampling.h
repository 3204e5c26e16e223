#pragma once
#include "head.h"

namespace palestra::cuda {

/** `Draw` in the kernel's form. */
struct DrawRule {
  double uniform;
  double inverse_temperature;
  float factor;       // from `height_factor`
  float draw_factor;  // the same factor; for greedy draws so cold that only the highest token remains
  float top_p;
  float min_p;
  /** Number of tokens to keep. 0: all tokens. */
  int32_t top_k;
  /** Index of the row's first word in `SampleRows::allowed`. Below 0: all tokens are allowed. */
  int32_t first_word;
};

/** `Choice` in the kernel's form. */
struct DrawnToken {
  int32_t token;
  float logprob;
  float model_logprob;
};

/** One row per block. */
struct SampleRows {
  DrawnToken* tokens;       // (rows)
  const float* logits;      // (rows, vocabulary)
  const DrawRule* rules;    // (rows)
  const uint32_t* allowed;  // one bit per token, for rows that restrict tokens
  int vocabulary;
  bool wide;
};

constexpr int sampling_warps = head_threads / 32;

/**
 * Number of tokens near the highest that a block lists in shared memory. The limit on the tokens that a warp finds
 * follows.
 */
constexpr int listed_by_warp = 256;
constexpr int most_listed = sampling_warps * listed_by_warp;

/** Number of values of a four-bit digit: one bin each, per thread. */
constexpr int bins = 16;

constexpr size_t sampling_shared_bytes = sizeof(double) * 2 * bins + sizeof(float) * bins * head_threads +
                                         (sizeof(float) + sizeof(int32_t)) * most_listed;

}  // namespace palestra::cuda
