#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "core/failure.h"
#include "numbers.h"
#include "ops/cpu/cpu-ops.h"

namespace palestra::test {

/** A CPU and its memory, for one test. */
template <class T>
struct Device {
  explicit Device(int threads = 1, InstructionSet isa = detect_instruction_set(), size_t bytes = size_t{1} << 30)
      : memory(bytes), pool(threads), ops(make_cpu_ops<T>(memory, pool, {isa})) {}

  HostMemory memory;
  ThreadPool pool;
  std::unique_ptr<Ops<T>> ops;
};

/** Returns the instruction sets that this machine supports. */
inline std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
    if (isa <= detect_instruction_set()) sets.push_back(isa);
  }
  return sets;
}

/** Returns the gradient of f at the values, by central differences. f reads the values in place. */
inline std::vector<double> finite_differences(double* values, const std::vector<size_t>& at,
                                              const std::function<double()>& f, double step = 1e-5) {
  std::vector<double> gradient;
  for (size_t i : at) {
    const double kept = values[i];
    values[i] = kept + step;
    const double above = f();
    values[i] = kept - step;
    const double below = f();
    values[i] = kept;
    gradient.push_back((above - below) / (2 * step));
  }
  return gradient;
}

inline std::vector<size_t> all_of(size_t n) {
  std::vector<size_t> indices(n);
  for (size_t i = 0; i < n; ++i) indices[i] = i;
  return indices;
}

inline std::vector<double> finite_differences(std::vector<double>& values, const std::function<double()>& f) {
  return finite_differences(values.data(), all_of(values.size()), f);
}

template <class X, class Y>
double inner_product(const std::vector<X>& a, const std::vector<Y>& b) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i) total += static_cast<double>(a[i]) * b[i];
  return total;
}

}  // namespace palestra::test
