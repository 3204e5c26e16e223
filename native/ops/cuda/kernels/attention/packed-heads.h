#pragma once
/** Arguments of the kernels of attention over packed sequences, flash and plain. */
#include <cstdint>

#include "../../../../core/half.h"

namespace palestra::cuda {

/** Rows of `[query_heads | kv_heads | kv_heads] * size` and their segments, as in ops.h. */
template <class T>
struct PackedHeads {
  const T* qkv;
  /**
   * Number of elements from row to row, like all strides of these kernels. The offset of a row takes 64 bits, but a
   * stride does not.
   */
  int stride;
  int rows;
  int query_heads;
  int kv_heads;
  int size;
  int segments;
  const int32_t* starts;  // (segments + 1)
  /** Scale of the scores: 1 / sqrt(size). */
  float scale;
  /** scale * log2(e), since exp(scale * score) = exp2(log2_scale * score). */
  float log2_scale;
};

template <class T>
struct AttentionForward {
  PackedHeads<T> in;
  T* out;          // (rows, query_heads * size)
  float* log_sum;  // (rows, query_heads), or null
};

template <class T>
struct AttentionGradient {
  PackedHeads<T> in;
  T* dqkv;  // rows in the layout of qkv
  int dqkv_stride;
  const T* dout;  // (rows, query_heads * size)
  const T* out;
  const float* log_sum;  // (rows, query_heads)
};

}  // namespace palestra::cuda
