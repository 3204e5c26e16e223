#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "../numbers.h"

/** Numbers for kernels of both types of activations, and their distance from formulas in double. */
namespace palestra::test {

template <class T>
constexpr double tolerance = sizeof(T) == 2 ? 1e-2 : 1e-5;

/** A type of activations, and whether the emulator runs threads from the last to the first. */
template <class X, bool order>
struct Case {
  using T = X;
  static constexpr bool reversed = order;
};
using Cases = ::testing::Types<Case<bf16, false>, Case<bf16, true>, Case<float, false>, Case<float, true>>;

/** Equal bits. */
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(T) * a.size()) == 0;
}

/** Rows of a wider matrix: their stride, and the place of the first. */
struct Place {
  int stride;
  int first;
};

}  // namespace palestra::test
