#pragma once
#include <cstdint>

#include "../../../core/cpu-features.h"
#include "../../ops.h"

namespace palestra {

/**
 * Computes c (m, width) = or += a (m, k) b (k, width), where width is a multiple of 8. Each element is one chain of
 * multiply-adds over k, ascending. All products of attention have this form. For the scores, b is a tile of transposed
 * keys.
 */
template <class T>
struct Product {
  T* c;
  int64_t c_stride;
  /** First factor, with element (i, j) at `a[i * a_row + j * a_step]`. */
  const T* a;
  int64_t a_row;
  int64_t a_step;
  const T* b;
  int64_t b_stride;
  int m;
  int k;
  int width;
  Into into;
};

template <class T>
struct Softmax {
  T max;
  T sum;
};

/**
 * The inner loops of attention, one table per instruction set. Rows of scores are padded to whole tiles of 16 lanes.
 */
template <class T>
struct AttentionKernels {
  void (*product)(const Product<T>&);
  /** Replaces each of `count` scores, a multiple of 16, by exp(score - max). Lanes of -infinity are left out. */
  Softmax<T> (*softmax)(T* scores, int count);
  /**
   * For `count` scores of a row, a multiple of 16, replaces scores by probabilities exp(score - log_sum), and their
   * gradients by those of the scores: probability * (gradient - mean).
   */
  void (*softmax_gradient)(T* scores, T* gradients, int count, T log_sum, T mean);
};

const AttentionKernels<float>& attention_kernels_scalar();
const AttentionKernels<double>& attention_kernels_double();
const AttentionKernels<float>& attention_kernels_avx2();
const AttentionKernels<float>& attention_kernels_avx512();

/** Returns the fastest table that the machine supports. */
template <class T>
const AttentionKernels<T>& attention_kernels(InstructionSet isa);

}  // namespace palestra
