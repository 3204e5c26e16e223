#pragma once
/** What the kernels of attention over packed sequences are told of them, flash and plain alike. */
#include <cstdint>

#include "../../../core/half.h"

namespace palestra::cuda {

/** Rows of `[query_heads | kv_heads | kv_heads] * size` and the segments that they come in, as ops.h has both. */
template <class T>
struct PackedHeads {
  const T* qkv;
  /** Elements from row to row, as all strides of these kernels; a row's place takes 64 bits, a stride does not. */
  int stride;
  int rows;
  int query_heads;
  int kv_heads;
  int size;
  int segments;
  const int32_t* starts;  // (segments + 1)
  /** Of scores: 1 / sqrt(size). */
  float scale;
  /** scale * log2(e): exp(scale * score) = exp2(log2_scale * score). */
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
  T* dqkv;  // rows as those of qkv
  int dqkv_stride;
  const T* dout;  // (rows, query_heads * size)
  const T* out;
  const float* log_sum;  // (rows, query_heads)
};

}  // namespace palestra::cuda
