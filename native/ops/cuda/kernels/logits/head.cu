#include "head.h"

#include "row-statistics.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

template <bool wide, class What>
DEVICE void token_statistics(const RowStatistics& a) {
  const int64_t row = blockIdx.x;
  const float* const logits = a.logits + row * a.vocabulary;
  const RowSums sums = sum_row<wide, What>(logits, a.vocabulary, a.factor, reinterpret_cast<double*>(shared_memory()));
  if (threadIdx.x != 0) return;
  constexpr float ln_2 = 0.693147181f;
  const double log_powers = log(sums.powers);
  a.log_sum[row] = static_cast<float>(static_cast<double>(sums.highest) * a.inverse_temperature + log_powers);
  a.logprob[row] = log_probability(logits[a.targets[row]], sums.highest, log_powers, a.inverse_temperature);
  if (!What::entropy) return;
  const float mean_height = static_cast<float>(sums.heights) / static_cast<float>(sums.powers);
  a.entropy[row] = static_cast<float>(log_powers) - ln_2 * mean_height;
}

template <bool wide>
DEVICE void token_statistics(const RowStatistics& a) {
  a.entropy ? token_statistics<wide, WithEntropy>(a) : token_statistics<wide, Plainly>(a);
}

/**
 * Element j of T ends at byte sizeof(T) (j + 1) of the row, and the logits up to that byte have already been read. A
 * tile is written after all threads have read it, and the next tile is loaded before the write.
 */
template <bool wide, class T>
DEVICE void logits_gradient(const LogitsGradient& a) {
  constexpr int n = 8, tile = head_threads * n;
  constexpr float log2_e = 1.44269504f;
  const int64_t row = blockIdx.x;
  const float* const logits = a.logits + row * a.vocabulary;
  T* const to = reinterpret_cast<T*>(a.logits + row * a.vocabulary);
  const float inverse = a.inverse_temperature, log_sum = a.log_sum[row];
  const int target = a.targets[row];
  const float of_logprob = a.logprob_gradient ? a.logprob_gradient[row] * inverse : 0;
  const float of_entropy = a.entropy_gradient ? a.entropy_gradient[row] * inverse : 0;
  // dlogit_j = [j = target] of_logprob + p_j (by_p - of_entropy log p_j)
  const float by_p = -of_logprob - (of_entropy != 0 ? of_entropy * a.entropy[row] : 0);

  int first = static_cast<int>(threadIdx.x) * n;
  float x[n], next[n];
  load<wide>(x, logits + first, a.vocabulary - first);
  for (int tile_first = 0; tile_first < a.vocabulary; tile_first += tile, first += tile) {
    load<wide>(next, logits + first + tile, a.vocabulary - first - tile);
    for (int j = 0; j < n; ++j) {
      const float log_p = x[j] * inverse - log_sum;
      x[j] = exp2_fast(log2_e * log_p) * (by_p - of_entropy * log_p);
      if (first + j == target) x[j] += of_logprob;
    }
    __syncthreads();
    store<wide>(to + first, x, a.vocabulary - first);
    for (int j = 0; j < n; ++j) x[j] = next[j];
  }
}

}  // namespace

PALESTRA_KERNEL(token_statistics_f32, RowStatistics, head_threads) {
  a.wide ? token_statistics<true>(a) : token_statistics<false>(a);
}

PALESTRA_KERNEL(logits_gradient_bf16, LogitsGradient, head_threads) {
  a.wide ? logits_gradient<true, bf16>(a) : logits_gradient<false, bf16>(a);
}
PALESTRA_KERNEL(logits_gradient_f32, LogitsGradient, head_threads) {
  a.wide ? logits_gradient<true, float>(a) : logits_gradient<false, float>(a);
}

}  // namespace palestra::cuda
