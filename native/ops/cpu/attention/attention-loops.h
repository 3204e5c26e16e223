#pragma once
#include "attention-kernels.h"

/**
 * The inner loops of attention over a vector type V, for the files of the instruction sets. V has internal linkage
 * there, so every instance of these templates has it, too. Otherwise the linker could pick a function compiled for
 * AVX-512 for all machines. For the same reason, these loops use no inline function of the standard library.
 *
 * Members of V: `Scalar`; `lanes` per vector; `rows` and `columns` of a product's block, in vectors, limited by the
 * registers; `Narrow`, a vector of at most 8 lanes.
 */
namespace palestra {

template <class V, int R, int C, class T>
inline void product_block(const Product<T>& p, int row, int column) {
  V sums[R][C];
  T* const c = p.c + row * p.c_stride + column;
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) {
      sums[i][j] = p.into == Into::add ? V::load(c + i * p.c_stride + j * V::lanes) : V::broadcast(0);
    }
  }
  const T* a = p.a + row * p.a_row;
  const T* b = p.b + column;
  for (int k = 0; k < p.k; ++k, a += p.a_step, b += p.b_stride) {
    V factors[C];
    for (int j = 0; j < C; ++j) factors[j] = V::load(b + j * V::lanes);
    for (int i = 0; i < R; ++i) {
      const V factor = V::broadcast(a[i * p.a_row]);
      for (int j = 0; j < C; ++j) sums[i][j] = V::multiply_add(factor, factors[j], sums[i][j]);
    }
  }
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) sums[i][j].store(c + i * p.c_stride + j * V::lanes);
  }
}

/** Computes the last `count` rows, which are fewer than a block has. */
template <class V, int R, int C, class T>
inline void product_rest(const Product<T>& p, int row, int column, int count) {
  if constexpr (R > 0) {
    if (count == R) {
      product_block<V, R, C>(p, row, column);
    } else {
      product_rest<V, R - 1, C>(p, row, column, count);
    }
  }
}

template <class V, int C, class T>
inline void product_columns(const Product<T>& p, int column) {
  int row = 0;
  for (; row + V::rows <= p.m; row += V::rows) product_block<V, V::rows, C>(p, row, column);
  product_rest<V, V::rows - 1, C>(p, row, column, p.m - row);
}

template <class V>
void product(const Product<typename V::Scalar>& p) {
  int column = 0;
  for (; column + V::columns * V::lanes <= p.width; column += V::columns * V::lanes) {
    product_columns<V, V::columns>(p, column);
  }
  for (; column + V::lanes <= p.width; column += V::lanes) product_columns<V, 1>(p, column);
  for (; column < p.width; column += V::Narrow::lanes) product_columns<typename V::Narrow, 1>(p, column);
}

/**
 * Computes e^x for x below 88; 0 below the smallest normal number; NaN for NaN. The method is e^x = 2^n e^r with |r| <=
 * ln 2 / 2, and the polynomial of Moshier's Cephes library. The error is about 1 ulp.
 */
template <class V>
inline V exp_float(V x) {
  const V lowest = V::broadcast(-87.33654f);
  // Adding 1.5 * 2^23 rounds to an integer, which is in the lowest bits of the sum.
  const V rounder = V::broadcast(12582912.0f);
  const V clamped = V::max(lowest, x);
  const V shifted = V::multiply_add(clamped, V::broadcast(1.44269504f), rounder);
  const V n = V::subtract(shifted, rounder);
  V r = V::multiply_add(n, V::broadcast(-0.693359375f), clamped);
  r = V::multiply_add(n, V::broadcast(2.12194440e-4f), r);
  V y = V::broadcast(1.9875691500e-4f);
  y = V::multiply_add(y, r, V::broadcast(1.3981999507e-3f));
  y = V::multiply_add(y, r, V::broadcast(8.3334519073e-3f));
  y = V::multiply_add(y, r, V::broadcast(4.1665795894e-2f));
  y = V::multiply_add(y, r, V::broadcast(1.6666665459e-1f));
  y = V::multiply_add(y, r, V::broadcast(5.0000001201e-1f));
  y = V::add(V::multiply_add(y, V::multiply(r, r), r), V::broadcast(1));
  return V::zero_where_less(V::multiply(y, V::power_of_two(shifted)), x, lowest);
}

constexpr int tile_lanes = 16;

template <class V>
Softmax<typename V::Scalar> softmax(typename V::Scalar* scores, int count) {
  using T = typename V::Scalar;
  constexpr int vectors = tile_lanes / V::lanes;
  V maxima[vectors];
  for (int j = 0; j < vectors; ++j) maxima[j] = V::load(scores + j * V::lanes);
  for (int i = tile_lanes; i < count; i += tile_lanes) {
    for (int j = 0; j < vectors; ++j) maxima[j] = V::max(maxima[j], V::load(scores + i + j * V::lanes));
  }
  T lanes[tile_lanes];
  for (int j = 0; j < vectors; ++j) maxima[j].store(lanes + j * V::lanes);
  T max = lanes[0];
  for (int i = 1; i < tile_lanes; ++i) max = lanes[i] > max ? lanes[i] : max;

  V sums[vectors];
  for (int j = 0; j < vectors; ++j) sums[j] = V::broadcast(0);
  for (int i = 0; i < count; i += tile_lanes) {
    for (int j = 0; j < vectors; ++j) {
      T* const at = scores + i + j * V::lanes;
      const V power = V::exp(V::subtract(V::load(at), V::broadcast(max)));
      power.store(at);
      sums[j] = V::add(sums[j], power);
    }
  }
  for (int j = 0; j < vectors; ++j) sums[j].store(lanes + j * V::lanes);
  for (int width = tile_lanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return {max, lanes[0]};
}

template <class V>
void softmax_gradient(typename V::Scalar* scores, typename V::Scalar* gradients, int count,
                      typename V::Scalar log_sum, typename V::Scalar mean) {
  for (int i = 0; i < count; i += V::lanes) {
    const V probability = V::exp(V::subtract(V::load(scores + i), V::broadcast(log_sum)));
    probability.store(scores + i);
    V::multiply(probability, V::subtract(V::load(gradients + i), V::broadcast(mean))).store(gradients + i);
  }
}

template <class V>
inline const AttentionKernels<typename V::Scalar>& table_of() {
  static constexpr AttentionKernels<typename V::Scalar> table{product<V>, softmax<V>, softmax_gradient<V>};
  return table;
}

}  // namespace palestra
