#include "activation.h"

#include "item.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

/** Returns the sigmoid, which is 0 and 1 at the ends, where 2^x is 0 or infinite. */
DEVICE float sigmoid(float x) {
  constexpr float log2_e = 1.44269504f;
  return reciprocal_fast(1 + exp2_fast(-log2_e * x));
}

template <bool wide, class T>
DEVICE void swiglu(const SwiGlu<T>& a) {
  constexpr int n = chunk_size<T>;
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  const int count = a.width - i.column;
  const T* const gates = a.gate_up + i.row * 2 * a.width + i.column;
  float gate[n], up[n];
  load<wide>(gate, gates, count);
  load<wide>(up, gates + a.width, count);
  for (int j = 0; j < n; ++j) up[j] *= gate[j] * sigmoid(gate[j]);
  store<wide>(a.y + i.row * a.width + i.column, up, count);
}

/** Computes, with s = sigmoid(gate): y = gate s up, d up = dy gate s, d gate = dy up s (1 + gate (1 - s)). */
template <bool wide, class T>
DEVICE void swiglu_gradient(const SwiGluGradient<T>& a) {
  constexpr int n = chunk_size<T>;
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  const int count = a.width - i.column;
  const T* const gates = a.gate_up + i.row * 2 * a.width + i.column;
  T* const to = a.dgate_up + i.row * 2 * a.width + i.column;
  float gate[n], up[n], dy[n], y[n];
  load<wide>(gate, gates, count);
  load<wide>(up, gates + a.width, count);
  load<wide>(dy, a.dy + i.row * a.width + i.column, count);
  for (int j = 0; j < n; ++j) {
    const float s = sigmoid(gate[j]), g = gate[j];
    y[j] = up[j] * (g * s);
    gate[j] = dy[j] * up[j] * s * (1 + g * (1 - s));
    up[j] = dy[j] * g * s;
  }
  store<wide>(to, gate, count);
  store<wide>(to + a.width, up, count);
  store<wide>(a.y + i.row * a.width + i.column, y, count);
}

}  // namespace

PALESTRA_KERNEL(swiglu_bf16, SwiGlu<bf16>, rows_threads) { a.wide ? swiglu<true>(a) : swiglu<false>(a); }
PALESTRA_KERNEL(swiglu_f32, SwiGlu<float>, rows_threads) { a.wide ? swiglu<true>(a) : swiglu<false>(a); }

PALESTRA_KERNEL(swiglu_gradient_bf16, SwiGluGradient<bf16>, rows_threads) {
  a.wide ? swiglu_gradient<true>(a) : swiglu_gradient<false>(a);
}
PALESTRA_KERNEL(swiglu_gradient_f32, SwiGluGradient<float>, rows_threads) {
  a.wide ? swiglu_gradient<true>(a) : swiglu_gradient<false>(a);
}

}  // namespace palestra::cuda
