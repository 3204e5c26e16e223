#pragma once
#include "../../../core/cpu-features.h"
#include "../../ops.h"

namespace palestra {

/** A half-open range of rows, columns or elements: the work of one tile. */
struct Range {
  int64_t begin;
  int64_t end;
};

/**
 * The kernels over rows, for one instruction set. ops/ops.h describes each kernel under the same name. Here each kernel
 * works on a range. A kernel that sums over rows takes a range of columns, so that the sum follows the order of the
 * rows. No result depends on how the work is cut into ranges.
 */
template <class T>
struct RowKernels {
  void (*rms_norm)(Rows<T> y, T* rstd, Rows<const T> x, const T* w, int width, int heads, float epsilon, Range rows);
  void (*rms_norm_input_gradient)(Rows<T> dx, Rows<const T> dy, Rows<const T> x, const T* w, const T* rstd, int width,
                                  int heads, Into into, Range rows);
  void (*rms_norm_weight_gradient)(T* dw, Rows<const T> dy, Rows<const T> x, const T* rstd, int width, int heads,
                                   int rows, Range columns);
  void (*rotary_turns)(T* turns, const int32_t* positions, const float* frequencies, int head_size, Range rows);
  void (*rotate)(Rows<T> x, const T* turns, int heads, int head_size, int direction, Range rows);
  void (*swiglu)(T* y, const T* gate_up, int width, Range rows);
  void (*swiglu_gradient)(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, Range rows);
  void (*token_statistics)(const TokenStatistics<T>& out, const T* logits, const int32_t* targets, int vocabulary,
                           T temperature, Range rows);
  void (*logits_gradient)(T* logits, const TokenStatistics<T>& statistics, const T* logprob_gradient,
                          const T* entropy_gradient, const int32_t* targets, int vocabulary, T temperature, Range rows);
  /** Computes sum (width) += the rows. With an `index`, row i is added to sum + index[i] * width. */
  void (*sum_rows)(T* sum, Rows<const T> rows, const int32_t* index, int width, int count, Range columns);
  void (*add)(T* to, const T* from, Range elements);
  void (*scale)(T* x, T factor, Range elements);
  void (*adamw)(T* weights, const T* gradients, T* first_moment, T* second_moment, const AdamW& rule, Range elements);
  double (*squared_norm)(const T* values, Range elements);
};

template <class T>
const RowKernels<T>& row_kernels(InstructionSet);

}  // namespace palestra
