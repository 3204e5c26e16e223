#pragma once
#include "activation-kernels.h"
#include "lanes.h"
#include "row-kernels.h"

namespace palestra {
namespace {

template <class T>
PALESTRA_INLINE T largest_of(const T* values, int n) {
  using L = Lanes<T>;
  L best = L::all(values[0]);
  int i = 0;
  for (; i + L::count <= n; i += L::count) best = larger(best, L::load(values + i));
  if (i < n) best = larger(best, L::load(values + i, n - i, values[0]));
  return largest(best);
}

/** Sums over a row of e = exp(z) and, for the entropy, of e z, with z = (logit - highest) / temperature. */
struct ExpSums {
  double e = 0;
  double ez = 0;
};

/**
 * Computes the sums in float blocks that are added in double. A float lane would lose digits over a vocabulary of
 * 150,000.
 */
template <class T, bool with_entropy>
PALESTRA_INLINE ExpSums exp_sums(const T* logits, int n, T highest, T inverse_temperature) {
  using L = Lanes<T>;
  constexpr int block = 64 * L::count;
  const L shift = L::all(-highest * inverse_temperature), factor = L::all(inverse_temperature);
  ExpSums sums;
  for (int first = 0; first < n; first += block) {
    const int end = first + block < n ? first + block : n;
    L e_total = L::all(0), ez_total = L::all(0);
    int i = first;
    for (; i + L::count <= end; i += L::count) {
      const L z = multiply_add(L::load(logits + i), factor, shift);
      const L e = exponential(z);
      e_total = e_total + e;
      if (with_entropy) ez_total = multiply_add(e, z, ez_total);
    }
    T e_rest = 0, ez_rest = 0;
    if (i < end) {
      T e_values[L::count], z_values[L::count];
      const L z = multiply_add(L::load(logits + i, end - i, highest), factor, shift);
      z.store(z_values);
      exponential(z).store(e_values);
      for (int j = 0; j < end - i; ++j) {
        e_rest += e_values[j];
        ez_rest += e_values[j] * z_values[j];
      }
    }
    sums.e += static_cast<double>(sum(e_total)) + static_cast<double>(e_rest);
    if (with_entropy) sums.ez += static_cast<double>(sum(ez_total)) + static_cast<double>(ez_rest);
  }
  return sums;
}

template <class T>
void token_statistics(const TokenStatistics<T>& out, const T* logits, const int32_t* targets, int vocabulary,
                      T temperature, Range rows) {
  const T inverse = 1 / temperature;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const T* values = logits + row * vocabulary;
    const T highest = largest_of(values, vocabulary);
    const ExpSums sums = out.entropy ? exp_sums<T, true>(values, vocabulary, highest, inverse)
                                     : exp_sums<T, false>(values, vocabulary, highest, inverse);
    const double log_sum = __builtin_log(sums.e);
    const double scaled_highest = static_cast<double>(highest) * inverse;
    out.log_sum[row] = static_cast<T>(scaled_highest + log_sum);
    out.logprob[row] = static_cast<T>(static_cast<double>(values[targets[row]]) * inverse - scaled_highest - log_sum);
    if (out.entropy) out.entropy[row] = static_cast<T>(log_sum - sums.ez / sums.e);
  }
}

template <class T>
void logits_gradient(T* logits, const TokenStatistics<T>& statistics, const T* logprob_gradient,
                     const T* entropy_gradient, const int32_t* targets, int vocabulary, T temperature, Range rows) {
  using L = Lanes<T>;
  const T inverse = 1 / temperature;
  const L factor = L::all(inverse);
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    T* values = logits + row * vocabulary;
    const T of_logprob = logprob_gradient ? logprob_gradient[row] * inverse : 0;
    const T of_entropy = entropy_gradient ? entropy_gradient[row] * inverse : 0;
    const L log_sum = L::all(-statistics.log_sum[row]);
    if (of_entropy == 0) {
      const L by_p = L::all(-of_logprob);
      by_lanes<T>(vocabulary, [&](int first, int n) {
        const L log_p = multiply_add(load_lanes(values + first, n), factor, log_sum);
        store_lanes(exponential(log_p) * by_p, values + first, n);
      });
    } else {
      const L by_p = L::all(-of_logprob - of_entropy * statistics.entropy[row]), by_p_log_p = L::all(-of_entropy);
      by_lanes<T>(vocabulary, [&](int first, int n) {
        const L log_p = multiply_add(load_lanes(values + first, n), factor, log_sum);
        store_lanes(exponential(log_p) * multiply_add(log_p, by_p_log_p, by_p), values + first, n);
      });
    }
    values[targets[row]] += of_logprob;
  }
}

}  // namespace
}  // namespace palestra
