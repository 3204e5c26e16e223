#pragma once
#include "rows.h"

namespace palestra::cuda {

/** One thread per eight parameters. */
template <class T>
struct AdamWStep {
  float* weights;
  T* rounded;  // or null
  const float* gradients;
  float* first_moment;
  float* second_moment;
  int64_t n;
  float lr;
  float beta1;
  float beta2;
  float epsilon;
  float gradient_scale;
  /** Factor 1 - lr * weight decay. */
  float keep;
  /** Bias correction 1 / (1 - beta^step). */
  float correction1;
  float correction2;
  /** Whether all arrays begin at multiples of 16 bytes. */
  bool aligned;
};

/** Sums of squares. Each block of the launch computes one block of the sum. */
struct SquaredNorm {
  double* sums;  // (blocks)
  const float* values;
  int64_t n;
  bool aligned;
};

constexpr int squared_norm_threads = 512;
/** Number of elements of a block. The number is part of the definition, since another number changes the result. */
constexpr int squared_norm_block = 65536;
constexpr int64_t squared_norm_blocks(int64_t n) { return (n + squared_norm_block - 1) / squared_norm_block; }

}  // namespace palestra::cuda
