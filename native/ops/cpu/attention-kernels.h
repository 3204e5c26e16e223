#pragma once
#include <cstdint>

#include "../../core/cpu-features.h"
#include "../ops.h"

namespace palestra {

/**
 * c (m, width) = or += a (m, k) b (k, width), width a multiple of 8: each element one chain of multiply-adds over k,
 * ascending. Scores are such a product (b a tile of transposed keys), and so is each other step of attention.
 */
template <class T>
struct Product {
  T* c;
  int64_t c_stride;
  /** Element (i, j) at `a[i * a_row + j * a_step]`. */
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

/** The inner loops of attention, one table an instruction set. Rows of scores are padded to whole tiles of 16 lanes. */
template <class T>
struct AttentionKernels {
  void (*product)(const Product<T>&);
  /** Replaces each of `count` scores, a multiple of 16, by exp(score - max). Lanes to be left out are -infinity. */
  Softmax<T> (*softmax)(T* scores, int count);
  /**
   * Of one row and one tile: scores become probabilities exp(score - log_sum), and their gradients those of the scores,
   * probability * (gradient - mean).
   */
  void (*softmax_gradient)(T* scores, T* gradients, T log_sum, T mean);
};

const AttentionKernels<float>& attention_kernels_scalar();
const AttentionKernels<double>& attention_kernels_double();
const AttentionKernels<float>& attention_kernels_avx2();
const AttentionKernels<float>& attention_kernels_avx512();

/** The fastest of them that may run. */
template <class T>
const AttentionKernels<T>& attention_kernels(InstructionSet isa);

}  // namespace palestra
