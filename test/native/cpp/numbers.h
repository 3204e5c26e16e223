#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/half.h"

/** Random numbers in any type of activations, and distances between lists of numbers. */
namespace palestra::test {

/** The vectors are aligned to 16 bytes, as operator new guarantees. */
template <class T>
std::vector<T> random_values(size_t n, uint32_t seed, double scale = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, scale);
  std::vector<T> values(n);
  for (T& value : values) value = rounded_to<T>(normal(random));
  return values;
}

/** ||a - b|| / ||b||, over the length of b. @param a a vector, or a pointer to at least as many values */
template <class Values, class T>
double relative_error(const Values& a, const std::vector<T>& b) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    difference += (widened(a[i]) - widened(b[i])) * (widened(a[i]) - widened(b[i]));
    size += widened(b[i]) * widened(b[i]);
  }
  return std::sqrt(difference / std::max(size, 1e-300));
}

}  // namespace palestra::test
