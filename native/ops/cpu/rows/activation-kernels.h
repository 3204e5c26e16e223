#pragma once
#include "lanes.h"
#include "row-kernels.h"

namespace palestra {
namespace {

template <class T>
PALESTRA_INLINE Lanes<T> sigmoid(const Lanes<T>& x) {
  const Lanes<T> one = Lanes<T>::all(1);
  return one / (one + exponential(Lanes<T>::all(0) - x));
}

/** Calls `part(first, n)` with n lanes, or with the remainder at the end. */
template <class T, class Part>
PALESTRA_INLINE void by_lanes(int width, Part&& part) {
  constexpr int count = Lanes<T>::count;
  int first = 0;
  for (; first + count <= width; first += count) part(first, count);
  if (first < width) part(first, width - first);
}

template <class T>
PALESTRA_INLINE Lanes<T> load_lanes(const T* from, int n) {
  return n == Lanes<T>::count ? Lanes<T>::load(from) : Lanes<T>::load(from, n, 0);
}

template <class T>
PALESTRA_INLINE void store_lanes(const Lanes<T>& lanes, T* to, int n) {
  if (n == Lanes<T>::count) {
    lanes.store(to);
  } else {
    lanes.store(to, n);
  }
}

template <class T>
void swiglu(T* y, const T* gate_up, int width, Range rows) {
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const T* gates = gate_up + row * 2 * width;
    T* to = y + row * width;
    by_lanes<T>(width, [&](int first, int n) {
      const Lanes<T> gate = load_lanes(gates + first, n), up = load_lanes(gates + width + first, n);
      store_lanes(gate * sigmoid(gate) * up, to + first, n);
    });
  }
}

/** Computes, with s = sigmoid(gate): y = gate s up, d up = dy gate s, d gate = dy up s (1 + gate (1 - s)). */
template <class T>
void swiglu_gradient(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, Range rows) {
  const Lanes<T> one = Lanes<T>::all(1);
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const T* gates = gate_up + row * 2 * width;
    const T* from = dy + row * width;
    T* to = dgate_up + row * 2 * width;
    T* again = y + row * width;
    by_lanes<T>(width, [&](int first, int n) {
      const Lanes<T> gate = load_lanes(gates + first, n), up = load_lanes(gates + width + first, n);
      const Lanes<T> gradient = load_lanes(from + first, n);
      const Lanes<T> s = sigmoid(gate);
      store_lanes(gate * s * up, again + first, n);
      store_lanes(gradient * up * s * multiply_add(gate, one - s, one), to + first, n);
      store_lanes(gradient * gate * s, to + width + first, n);
    });
  }
}

}  // namespace
}  // namespace palestra
