#pragma once
#include "../ops.h"
#include "launcher.h"

namespace palestra::cuda {

/** As `Ops::token_statistics`. */
void token_statistics(Launcher& launcher, const TokenStatistics<float>& out, const float* logits,
                      const int32_t* targets, int vocabulary, int rows, float temperature);

/**
 * As `Ops::logits_gradient`. The gradient is of type T and lies where the logits did: `logits_gradient_rows`.
 */
template <class T>
void logits_gradient(Launcher& launcher, float* logits, const TokenStatistics<float>& statistics,
                     const float* logprob_gradient, const float* entropy_gradient, const int32_t* targets,
                     int vocabulary, int rows, float temperature);

/** The gradient that `logits_gradient` has left there: of bf16, every row takes the first half of its logits' place. */
template <class T>
Rows<const T> logits_gradient_rows(const float* dlogits, int vocabulary) {
  return {reinterpret_cast<const T*>(dlogits), int64_t{vocabulary} * static_cast<int64_t>(sizeof(float) / sizeof(T))};
}

}  // namespace palestra::cuda
