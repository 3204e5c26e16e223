#include "optimiser.h"

#include <cmath>

#include "item.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

/** Implements algorithm 2 of the AdamW paper, with its schedule in `lr`. The decay uses the weight before the step. */
template <bool wide, class T>
DEVICE void adamw(const AdamWStep<T>& a, const Neighbours& own) {
  float w[neighbours], g[neighbours], m[neighbours], v[neighbours];
  load<wide>(g, a.gradients + own.first, own.count);
  load<wide>(m, a.first_moment + own.first, own.count);
  load<wide>(v, a.second_moment + own.first, own.count);
  load<wide>(w, a.weights + own.first, own.count);
  for (int j = 0; j < neighbours; ++j) {
    g[j] *= a.gradient_scale;
    m[j] = a.beta1 * m[j] + (1 - a.beta1) * g[j];
    v[j] = a.beta2 * v[j] + (1 - a.beta2) * (g[j] * g[j]);
    w[j] = a.keep * w[j] - a.lr * (m[j] * a.correction1) / (sqrtf(v[j] * a.correction2) + a.epsilon);
  }
  store<wide>(a.first_moment + own.first, m, own.count);
  store<wide>(a.second_moment + own.first, v, own.count);
  store<wide>(a.weights + own.first, w, own.count);
  if (a.rounded) store<wide>(a.rounded + own.first, w, own.count);
}

template <class T>
DEVICE void adamw(const AdamWStep<T>& a) {
  const Neighbours own = neighbours_of_thread(a.n);
  if (own.count <= 0) return;
  a.aligned && own.count == neighbours ? adamw<true>(a, own) : adamw<false>(a, own);
}

/** Threads take chunks in turn, with four loads in flight. */
template <bool wide>
DEVICE double sum_of_squares(const float* values, int count) {
  constexpr int n = chunk_size<float>, at_once = 4;
  double sums[n] = {};
  for (int first = static_cast<int>(threadIdx.x) * n; first < count; first += at_once * squared_norm_threads * n) {
    float x[at_once][n];
    for (int k = 0; k < at_once; ++k) {
      const int i = first + k * squared_norm_threads * n;
      load<wide>(x[k], values + i, count - i);
    }
    for (int k = 0; k < at_once; ++k) {
      for (int j = 0; j < n; ++j) sums[j] += static_cast<double>(x[k][j]) * static_cast<double>(x[k][j]);
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

PALESTRA_KERNEL(adamw_bf16, AdamWStep<bf16>, rows_threads) { adamw(a); }
PALESTRA_KERNEL(adamw_f32, AdamWStep<float>, rows_threads) { adamw(a); }

PALESTRA_KERNEL(squared_norm_f32, SquaredNorm, squared_norm_threads) {
  const int64_t first = int64_t{blockIdx.x} * squared_norm_block, left = a.n - first;
  const bool is_whole = left >= squared_norm_block;
  const int count = is_whole ? squared_norm_block : static_cast<int>(left);
  const double own = a.aligned && is_whole ? sum_of_squares<true>(a.values + first, count)
                                           : sum_of_squares<false>(a.values + first, count);
  const double sum = block_sum<squared_norm_threads>(own, reinterpret_cast<double*>(shared_memory()));
  if (threadIdx.x == 0) a.sums[blockIdx.x] = sum;
}

}  // namespace palestra::cuda
