#pragma once
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::token_statistics`. */
void token_statistics(Launcher& launcher, const TokenStatistics<float>& out, const float* logits,
                      const int32_t* targets, int vocabulary, int rows, float temperature);

/**
 * `Ops::logits_gradient`. The gradient has type T and replaces the logits. Read the gradient by `logits_gradient_rows`.
 */
template <class T>
void logits_gradient(Launcher& launcher, float* logits, const TokenStatistics<float>& statistics,
                     const float* logprob_gradient, const float* entropy_gradient, const int32_t* targets,
                     int vocabulary, int rows, float temperature);

/**
 * Returns the gradient that `logits_gradient` has written. In bf16, each row takes the first half of its logits'
 * memory.
 */
template <class T>
Rows<const T> logits_gradient_rows(const float* dlogits, int vocabulary) {
  return {reinterpret_cast<const T*>(dlogits), int64_t{vocabulary} * static_cast<int64_t>(sizeof(float) / sizeof(T))};
}

}  // namespace palestra::cuda
