#include "norm.h"

#include <cmath>

#include "chunk.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

/**
 * Number of chunks of a vector that a lane keeps in registers: 1024 columns of bf16. The lane reads later columns
 * again.
 */
template <bool wide>
constexpr int chunks_kept = wide ? 4 : 1;

/** First element of a vector and its number of elements. Teams behind the last vector have 0 elements. */
struct Vector {
  int64_t row;
  int column;
  int width;
};

DEVICE Vector vector_at(int64_t index, int64_t vectors, int heads, int width) {
  if (index >= vectors) return {0, 0, 0};
  return {index / heads, static_cast<int>(index % heads) * width, width};
}

template <class T>
DEVICE void add_squares(float& sum, const Words& chunk) {
  float x[chunk_size<T>];
  unpack(x, chunk, T{});
  for (float each : x) sum += each * each;
}

template <bool wide, class T>
DEVICE void norm_chunk(T* to, const Words& chunk, const T* weights, float rstd, int count) {
  float x[chunk_size<T>], w[chunk_size<T>];
  unpack(x, chunk, T{});
  load<wide>(w, weights, count);
  for (int j = 0; j < chunk_size<T>; ++j) x[j] = x[j] * rstd * w[j];
  store<wide>(to, x, count);
}

template <bool wide, class T>
DEVICE void rms_norm(const RmsNorm<T>& a) {
  constexpr int n = chunk_size<T>, kept = chunks_kept<wide>;
  const int lane = static_cast<int>(threadIdx.x) % a.lanes, step = a.lanes * n;
  const int64_t index = int64_t{blockIdx.x} * (norm_threads / a.lanes) + threadIdx.x / a.lanes;
  const Vector v = vector_at(index, a.vectors, a.heads, a.width);
  const T* const from = a.x[v.row] + v.column;
  T* const to = a.y[v.row] + v.column;

  Words x[kept];
  for (int k = 0; k < kept; ++k) {
    const int i = k * step + lane * n;
    x[k] = load_chunk<wide>(from + i, v.width - i);
  }
  float sum = 0;
  for (int k = 0; k < kept; ++k) add_squares<T>(sum, x[k]);
  for (int i = kept * step + lane * n; i < v.width; i += step) {
    add_squares<T>(sum, load_chunk<wide>(from + i, v.width - i));
  }
  const float rstd = 1 / sqrtf(lanes_sum(sum, a.lanes) / a.width + a.epsilon);
  if (a.rstd && lane == 0 && index < a.vectors) a.rstd[index] = rstd;

  for (int k = 0; k < kept; ++k) {
    const int i = k * step + lane * n;
    norm_chunk<wide>(to + i, x[k], a.w + i, rstd, v.width - i);
  }
  for (int i = kept * step + lane * n; i < v.width; i += step) {
    norm_chunk<wide>(to + i, load_chunk<wide>(from + i, v.width - i), a.w + i, rstd, v.width - i);
  }
}

/** Computes dot += the sum of dy x w. */
template <bool wide, class T>
DEVICE void add_products(float& dot, const Words& of_y, const Words& of_x, const T* weights, int count) {
  float dy[chunk_size<T>], x[chunk_size<T>], w[chunk_size<T>];
  unpack(dy, of_y, T{});
  unpack(x, of_x, T{});
  load<wide>(w, weights, count);
  for (int j = 0; j < chunk_size<T>; ++j) dot += dy[j] * x[j] * w[j];
}

/**
 * Makes the second pass over a chunk of a vector. The pass computes the chunk's dx, and adds its part of dw to the
 * team's sums.
 */
template <bool wide, class T>
DEVICE void finish_chunk(const RmsNormGradient<T>& a, const Vector& v, int i, const Words& of_y, const Words& of_x,
                         float rstd, float pull, float* sums) {
  constexpr int n = chunk_size<T>;
  const int count = v.width - i;
  T* const to = a.dx[v.row] + v.column + i;
  float dy[n], x[n], w[n], dx[n];
  unpack(dy, of_y, T{});
  unpack(x, of_x, T{});
  load<wide>(w, a.w + i, count);
  if (a.add) {
    load<wide>(dx, to, count);
  } else {
    for (int j = 0; j < n; ++j) dx[j] = 0;
  }
  for (int j = 0; j < n; ++j) dx[j] += dy[j] * w[j] * rstd - x[j] * pull;
  store<wide>(to, dx, count);
  if (!a.partials || count <= 0) return;
  // The sums hold element j of all chunks, followed by element j + 1, so that adjacent lanes access adjacent banks.
  const int chunks = chunks_of<T>(a.width);
  for (int j = 0; j < n; ++j) sums[j * chunks + i / n] += dy[j] * (x[j] * rstd);
}

/**
 * Computes dx = rstd (w dy - xhat mean(w dy xhat)), xhat = x rstd. The block's teams take its vectors in turn. Each
 * team sums dw over its vectors, and the block adds the sums of the teams.
 */
template <bool wide, class T>
DEVICE void rms_norm_gradient(const RmsNormGradient<T>& a) {
  constexpr int n = chunk_size<T>, kept = chunks_kept<wide>;
  const int lane = static_cast<int>(threadIdx.x) % a.lanes, team = static_cast<int>(threadIdx.x) / a.lanes;
  const int step = a.lanes * n, chunks = chunks_of<T>(a.width);
  auto* const all_sums = reinterpret_cast<float*>(shared_memory());
  float* const sums = all_sums + int64_t{team} * chunks * n;
  const int group = group_rows * a.heads;
  const int64_t first = int64_t{blockIdx.x} * group;
  if (a.partials && team < a.teams) {
    for (int i = lane; i < chunks; i += a.lanes) {
      for (int j = 0; j < n; ++j) sums[j * chunks + i] = 0;
    }
  }

  for (int turn = 0; turn < group; turn += a.teams) {
    const bool takes_part = team < a.teams && turn + team < group;
    const int64_t index = takes_part ? first + turn + team : a.vectors;
    const Vector v = vector_at(index, a.vectors, a.heads, a.width);
    const T* const of_y = a.dy[v.row] + v.column;
    const T* const of_x = a.x[v.row] + v.column;
    Words dy[kept], x[kept];
    for (int k = 0; k < kept; ++k) {
      const int i = k * step + lane * n;
      dy[k] = load_chunk<wide>(of_y + i, v.width - i);
      x[k] = load_chunk<wide>(of_x + i, v.width - i);
    }
    float dot = 0;
    for (int k = 0; k < kept; ++k) {
      const int i = k * step + lane * n;
      add_products<wide>(dot, dy[k], x[k], a.w + i, v.width - i);
    }
    for (int i = kept * step + lane * n; i < v.width; i += step) {
      const int count = v.width - i;
      add_products<wide>(dot, load_chunk<wide>(of_y + i, count), load_chunk<wide>(of_x + i, count), a.w + i, count);
    }
    const float rstd = index < a.vectors ? a.rstd[index] : 0;
    const float pull = lanes_sum(dot, a.lanes) * rstd * rstd * rstd / a.width;

    for (int k = 0; k < kept; ++k) finish_chunk<wide>(a, v, k * step + lane * n, dy[k], x[k], rstd, pull, sums);
    for (int i = kept * step + lane * n; i < v.width; i += step) {
      const int count = v.width - i;
      finish_chunk<wide>(a, v, i, load_chunk<wide>(of_y + i, count), load_chunk<wide>(of_x + i, count), rstd, pull,
                         sums);
    }
  }

  if (!a.partials) return;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < a.width; i += norm_threads) {
    const float* const of_column = all_sums + i % n * chunks + i / n;
    float sum = of_column[0];
    for (int t = 1; t < a.teams; ++t) sum += of_column[int64_t{t} * chunks * n];
    a.partials[int64_t{blockIdx.x} * a.width + i] = sum;
  }
}

}  // namespace

PALESTRA_KERNEL(rms_norm_bf16, RmsNorm<bf16>, norm_threads) { a.wide ? rms_norm<true>(a) : rms_norm<false>(a); }
PALESTRA_KERNEL(rms_norm_f32, RmsNorm<float>, norm_threads) { a.wide ? rms_norm<true>(a) : rms_norm<false>(a); }

PALESTRA_KERNEL(rms_norm_gradient_bf16, RmsNormGradient<bf16>, norm_threads) {
  a.wide ? rms_norm_gradient<true>(a) : rms_norm_gradient<false>(a);
}
PALESTRA_KERNEL(rms_norm_gradient_f32, RmsNormGradient<float>, norm_threads) {
  a.wide ? rms_norm_gradient<true>(a) : rms_norm_gradient<false>(a);
}

}  // namespace palestra::cuda
