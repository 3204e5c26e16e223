#pragma once
#include <cmath>

#include "lanes.h"
#include "row-kernels.h"

namespace palestra {
namespace {

/** Returns the sum over i of a_i b_i, lane by lane. */
template <class T>
PALESTRA_INLINE T dot(const T* a, const T* b, int n) {
  using L = Lanes<T>;
  L total = L::all(0);
  int i = 0;
  for (; i + L::count <= n; i += L::count) total = multiply_add(L::load(a + i), L::load(b + i), total);
  if (i < n) total = multiply_add(L::load(a + i, n - i, 0), L::load(b + i, n - i, 0), total);
  return sum(total);
}

/** Returns the sum over i of a_i b_i c_i. */
template <class T>
PALESTRA_INLINE T dot(const T* a, const T* b, const T* c, int n) {
  using L = Lanes<T>;
  L total = L::all(0);
  int i = 0;
  for (; i + L::count <= n; i += L::count) {
    total = multiply_add(L::load(a + i) * L::load(b + i), L::load(c + i), total);
  }
  if (i < n) {
    const int rest = n - i;
    total = multiply_add(L::load(a + i, rest, 0) * L::load(b + i, rest, 0), L::load(c + i, rest, 0), total);
  }
  return sum(total);
}

template <class T>
void rms_norm(Rows<T> y, T* rstd, Rows<const T> x, const T* w, int width, int heads, float epsilon, Range rows) {
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    for (int head = 0; head < heads; ++head) {
      const T* from = x[row] + head * width;
      T* to = y[row] + head * width;
      const T scale = 1 / __builtin_sqrt(dot(from, from, width) / width + epsilon);
      if (rstd) rstd[row * heads + head] = scale;
      for (int i = 0; i < width; ++i) to[i] = from[i] * scale * w[i];
    }
  }
}

/** Computes dx = rstd (w dy - xhat mean(w dy xhat)), xhat = x rstd. */
template <class T>
void rms_norm_input_gradient(Rows<T> dx, Rows<const T> dy, Rows<const T> x, const T* w, const T* rstd, int width,
                             int heads, Into into, Range rows) {
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    for (int head = 0; head < heads; ++head) {
      const T* from = dy[row] + head * width;
      const T* input = x[row] + head * width;
      T* to = dx[row] + head * width;
      const T scale = rstd[row * heads + head];
      const T pull = dot(from, input, w, width) * scale * scale * scale / width;
      if (into == Into::add) {
        for (int i = 0; i < width; ++i) to[i] += from[i] * w[i] * scale - input[i] * pull;
      } else {
        for (int i = 0; i < width; ++i) to[i] = from[i] * w[i] * scale - input[i] * pull;
      }
    }
  }
}

template <class T>
void rms_norm_weight_gradient(T* dw, Rows<const T> dy, Rows<const T> x, const T* rstd, int width, int heads, int rows,
                              Range columns) {
  for (int row = 0; row < rows; ++row) {
    for (int head = 0; head < heads; ++head) {
      const T* __restrict from = dy[row] + head * width;
      const T* __restrict input = x[row] + head * width;
      const T scale = rstd[static_cast<int64_t>(row) * heads + head];
      for (int64_t i = columns.begin; i < columns.end; ++i) dw[i] += from[i] * (input[i] * scale);
    }
  }
}

/** Angles are double, because float cannot hold positions times frequencies. */
template <class T>
void rotary_turns(T* turns, const int32_t* positions, const float* frequencies, int head_size, Range rows) {
  const int half = head_size / 2;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    T* const cosines = turns + row * head_size;
    for (int i = 0; i < half; ++i) {
      const double angle = static_cast<double>(positions[row]) * frequencies[i];
      cosines[i] = static_cast<T>(__builtin_cos(angle));
      cosines[half + i] = static_cast<T>(__builtin_sin(angle));
    }
  }
}

/** Rotates the pairs (i, i + head_size / 2) of each head. */
template <class T>
void rotate(Rows<T> x, const T* turns, int heads, int head_size, int direction, Range rows) {
  const int half = head_size / 2;
  const T sign = direction;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const T* __restrict cosines = turns + row * head_size;
    const T* __restrict sines = cosines + half;
    for (int head = 0; head < heads; ++head) {
      T* __restrict low = x[row] + head * head_size;
      T* __restrict high = low + half;
      for (int i = 0; i < half; ++i) {
        const T a = low[i], b = high[i], sine = sign * sines[i];
        low[i] = a * cosines[i] - b * sine;
        high[i] = b * cosines[i] + a * sine;
      }
    }
  }
}

}  // namespace
}  // namespace palestra
