#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "../numbers.h"

/** Numbers for kernels of both types of activations, and their distance from formulas in double. */
namespace palestra::test {

template <class T>
constexpr double tolerance = sizeof(T) == 2 ? 1e-2 : 1e-5;

/** The same bits. */
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(T) * a.size()) == 0;
}

/** Rows of a wider matrix: their stride, and where the first begins. */
struct Place {
  int stride;
  int first;
};

}  // namespace palestra::test
