#pragma once
/** Sums over a row of logits, equal bit for bit in all kernels that use them. */
#include <cmath>

#include "../rows/chunk.h"
#include "head.h"

namespace palestra::cuda {

/** Sums over a row, with z = (logit - highest) * factor. NaN when a logit is NaN or the highest is infinite. */
struct RowSums {
  float highest;
  double powers;        // the sum of 2^z
  double heights;       // the sum of 2^z z, if requested
  /** Whether all logits are finite, if requested. */
  bool is_finite;
};

struct WithEntropy {
  static constexpr bool entropy = true, check = false;
};
struct WithCheck {
  static constexpr bool entropy = false, check = true;
};
struct Plainly {
  static constexpr bool entropy = false, check = false;
};

/** A thread's sums so far, in four lanes, relative to the highest logit so far. */
template <class What>
struct RunningSums {
  static constexpr int n = chunk_size<float>;

  float highest;
  float powers[n] = {};
  float heights[n] = {};
  float zero = 0;  // NaN once a logit is not finite

  /** Skips chunks past the end, for which `count` is 0 or below. */
  template <int chunks>
  DEVICE void add(const float (&x)[chunks][n], const int (&count)[chunks], float factor) {
    float top = highest;
    for (int k = 0; k < chunks; ++k) {
      for (int j = 0; j < n; ++j) top = j < count[k] && x[k][j] > top ? x[k][j] : top;
    }
    rise(top, factor);
    for (int k = 0; k < chunks; ++k) {
      for (int j = 0; j < n; ++j) {
        const float z = (x[k][j] - highest) * factor;
        const float power = j < count[k] ? simt::exp2_fast(z) : 0;
        powers[j] += power;
        // A height far below the highest may be infinite. The power of such a height is 0.
        if (What::entropy) heights[j] += power * (z < -1000 ? -1000 : z);
        if (What::check && j < count[k]) zero += x[k][j] * 0;
      }
    }
  }

  /** Rescales the sums to `top`. Leaves the bits unchanged if `top` is already the highest. */
  DEVICE void rise(float top, float factor) {
    const float step = (highest - top) * factor;
    const float power = simt::exp2_fast(step), bounded = step < -1000 ? -1000 : step;
    for (int j = 0; j < n; ++j) {
      if (What::entropy) heights[j] = power * (heights[j] + bounded * powers[j]);
      powers[j] *= power;
    }
    highest = top;
  }
};

/**
 * Reads the row once, by all threads of a block. The sums are float within a thread, which has some hundred tokens, and
 * double over the threads.
 *
 * @param scratch `head_shared_bytes`, like that of `block_sum`
 */
template <bool wide, class What>
DEVICE RowSums sum_row(const float* logits, int vocabulary, float factor, double* scratch) {
  constexpr int n = chunk_size<float>, at_once = 4, step = head_threads * n;
  RunningSums<What> sums;
  sums.highest = logits[0];
  for (int first = static_cast<int>(threadIdx.x) * n; first < vocabulary; first += at_once * step) {
    float x[at_once][n];
    int count[at_once];
    for (int k = 0; k < at_once; ++k) {
      count[k] = vocabulary - first - k * step;
      simt::load<wide>(x[k], logits + first + k * step, count[k]);
    }
    sums.add(x, count, factor);
  }

  RowSums row{};
  row.highest = simt::block_max<head_threads>(sums.highest, reinterpret_cast<float*>(scratch));
  sums.rise(row.highest, factor);
  const auto all = [&](const float (&of)[n]) {
    return simt::block_sum<head_threads>(static_cast<double>((of[0] + of[1]) + (of[2] + of[3])), scratch);
  };
  row.powers = all(sums.powers);
  if (What::entropy) row.heights = all(sums.heights);
  if (What::check) row.is_finite = simt::block_sum<head_threads>(sums.zero, reinterpret_cast<float*>(scratch)) == 0;
  return row;
}

/** Returns the log-probability of a token with that logit. */
DEVICE float log_probability(float logit, float highest, double log_powers, double inverse_temperature) {
  const double below = static_cast<double>(logit) - static_cast<double>(highest);
  return static_cast<float>(below * inverse_temperature - log_powers);
}

}  // namespace palestra::cuda
