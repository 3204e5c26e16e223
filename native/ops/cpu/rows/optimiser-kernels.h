#pragma once
#include <cmath>

#include "lanes.h"
#include "row-kernels.h"

namespace palestra {
namespace {

template <class T>
void sum_rows(T* sum, Rows<const T> rows, const int32_t* index, int width, int count, Range columns) {
  for (int row = 0; row < count; ++row) {
    T* __restrict to = sum + (index ? static_cast<int64_t>(index[row]) * width : 0);
    const T* __restrict from = rows[row];
    for (int64_t i = columns.begin; i < columns.end; ++i) to[i] += from[i];
  }
}

template <class T>
void add(T* __restrict to, const T* __restrict from, Range elements) {
  for (int64_t i = elements.begin; i < elements.end; ++i) to[i] += from[i];
}

template <class T>
void scale(T* x, T factor, Range elements) {
  for (int64_t i = elements.begin; i < elements.end; ++i) x[i] *= factor;
}

/** Implements algorithm 2 of the AdamW paper, with its schedule in `lr`. The decay uses the weight before the step. */
template <class T>
void adamw(T* __restrict weights, const T* __restrict gradients, T* __restrict first_moment,
           T* __restrict second_moment, const AdamW& rule, Range elements) {
  const T beta1 = rule.beta1, beta2 = rule.beta2, epsilon = rule.epsilon, gradient_scale = rule.gradient_scale;
  const T correction1 = 1 / (1 - __builtin_pow(rule.beta1, static_cast<double>(rule.step)));
  const T correction2 = 1 / (1 - __builtin_pow(rule.beta2, static_cast<double>(rule.step)));
  const T lr = rule.lr, keep = 1 - lr * static_cast<T>(rule.weight_decay);
  for (int64_t i = elements.begin; i < elements.end; ++i) {
    const T g = gradients[i] * gradient_scale;
    const T m = beta1 * first_moment[i] + (1 - beta1) * g;
    const T v = beta2 * second_moment[i] + (1 - beta2) * (g * g);
    first_moment[i] = m;
    second_moment[i] = v;
    const T root = sizeof(T) == sizeof(float) ? __builtin_sqrtf(v * correction2) : __builtin_sqrt(v * correction2);
    weights[i] = keep * weights[i] - lr * (m * correction1) / (root + epsilon);
  }
}

template <class T>
double squared_norm(const T* values, Range elements) {
  constexpr int lanes = 16;
  double totals[lanes] = {};
  int64_t i = elements.begin;
  for (; i + lanes <= elements.end; i += lanes) {
    for (int j = 0; j < lanes; ++j) totals[j] += static_cast<double>(values[i + j]) * values[i + j];
  }
  for (; i < elements.end; ++i) totals[0] += static_cast<double>(values[i]) * values[i];
  double total = 0;
  for (double part : totals) total += part;
  return total;
}

}  // namespace
}  // namespace palestra
