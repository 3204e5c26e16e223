#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ops/cpu/attention/attention.h"

/** Problems of attention on a CPU, the kernels that solve them, and distances between solutions. */
namespace palestra::attention {

template <class T>
std::vector<T> random_values(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(normal(random));
  return values;
}

/** Packed rows of random queries, keys and values. */
template <class T>
struct Problem {
  Heads heads;
  std::vector<int32_t> starts;
  std::vector<T> qkv;
  std::vector<int32_t> parents = {};

  Problem(Heads heads, std::vector<int> lengths, unsigned seed) : heads(heads), starts(1, 0) {
    for (int length : lengths) starts.push_back(starts.back() + length);
    qkv = random_values<T>(static_cast<size_t>(rows()) * heads.width(), seed);
  }
  int rows() const { return starts.back(); }
  Rows<const T> view() const { return {qkv.data(), heads.width()}; }
  Segments segments() const {
    int longest = 0;
    for (size_t s = 1; s < starts.size(); ++s) longest = std::max(longest, starts[s] - starts[s - 1]);
    return {static_cast<int>(starts.size()) - 1, rows(), longest, starts.data(), parents.empty() ? nullptr : parents.data()};
  }
  size_t out_size() const { return static_cast<size_t>(rows()) * heads.query * heads.size; }
};

struct Machine {
  explicit Machine(int threads) : memory(size_t{1} << 30), pool(threads) {}
  HostMemory memory;
  ThreadPool pool;
};

struct Kernels {
  Kernels(InstructionSet isa, bool bf16 = false) : isa(isa), bf16(bf16) {}
  InstructionSet isa;
  bool bf16;
};

template <class T>
std::vector<T> run_forward(const Problem<T>& problem, Kernels kernels, int threads,
                           std::vector<T>* log_sum = nullptr) {
  Machine machine(threads);
  CpuAttention<T> attention(machine.memory, machine.pool, kernels.isa, kernels.bf16);
  std::vector<T> out(problem.out_size());
  if (log_sum) log_sum->resize(static_cast<size_t>(problem.rows()) * problem.heads.query);
  attention.forward(out.data(), log_sum ? log_sum->data() : nullptr, problem.view(), problem.heads, problem.segments());
  return out;
}

template <class T>
std::vector<T> run_gradient(const Problem<T>& problem, const std::vector<T>& dout, Kernels kernels, int threads) {
  Machine machine(threads);
  CpuAttention<T> attention(machine.memory, machine.pool, kernels.isa, kernels.bf16);
  std::vector<T> out(problem.out_size()), log_sum(static_cast<size_t>(problem.rows()) * problem.heads.query);
  attention.forward(out.data(), log_sum.data(), problem.view(), problem.heads, problem.segments());
  std::vector<T> dqkv(problem.qkv.size(), std::numeric_limits<T>::quiet_NaN());
  attention.gradient({dqkv.data(), problem.heads.width()}, dout.data(), out.data(), log_sum.data(), problem.view(),
                     problem.heads, problem.segments());
  return dqkv;
}

inline std::vector<InstructionSet> present(std::initializer_list<InstructionSet> sets) {
  std::vector<InstructionSet> result;
  for (InstructionSet isa : sets) {
    if (isa <= detect_instruction_set()) result.push_back(isa);
  }
  return result;
}

inline std::vector<InstructionSet> instruction_sets() {
  return present({InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512});
}

/** Kernels whose products of bfloat16 differ. */
inline std::vector<Kernels> rounding_kernels() {
  std::vector<Kernels> result;
  for (InstructionSet isa : present({InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512_bf16,
                                     InstructionSet::amx_bf16})) {
    result.push_back({isa, true});
  }
  return result;
}

inline std::vector<Kernels> training_kernels() {
  std::vector<Kernels> result = rounding_kernels();
  for (InstructionSet isa : instruction_sets()) result.push_back(isa);
  return result;
}

/** Returns |values - expected| / |expected|. */
template <class T>
double relative_error(const std::vector<T>& values, const std::vector<double>& expected) {
  double error = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    error += (values[i] - expected[i]) * (values[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(error / norm);
}

template <class T>
void expect_near(const std::vector<T>& values, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], tolerance) << "at " << i;
}

}  // namespace palestra::attention
