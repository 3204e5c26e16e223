#pragma once
#include "head.h"

namespace palestra::cuda {

/** `Draw` as the kernel takes it. */
struct DrawRule {
  double uniform;
  double inverse_temperature;
  float factor;       // of `height_factor`
  float draw_factor;  // the same but where greedy: the cold leaves the highest alone
  float top_p;
  float min_p;
  /** 0: all. */
  int32_t top_k;
  /** The first of the row's words in `SampleRows::allowed`; below 0: all are allowed. */
  int32_t first_word;
};

/** `Choice` as the kernel gives it. */
struct DrawnToken {
  int32_t token;
  float logprob;
  float model_logprob;
};

/** A row for each block. */
struct SampleRows {
  DrawnToken* tokens;       // (rows)
  const float* logits;      // (rows, vocabulary)
  const DrawRule* rules;    // (rows)
  const uint32_t* allowed;  // a bit each token, of rows that have any
  int vocabulary;
  bool wide;
};

constexpr int sampling_warps = head_threads / 32;

/** Tokens near the highest that a row's block keeps in shared memory, and the most of those that a warp finds. */
constexpr int listed_by_warp = 256;
constexpr int most_listed = sampling_warps * listed_by_warp;

/** Values of a digit of four bits: a bin each, for each thread. */
constexpr int bins = 16;

constexpr size_t sampling_shared_bytes = sizeof(double) * 2 * bins + sizeof(float) * bins * head_threads +
                                         (sizeof(float) + sizeof(int32_t)) * most_listed;

}  // namespace palestra::cuda
