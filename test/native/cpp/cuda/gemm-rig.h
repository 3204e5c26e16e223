#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/philox.h"
#include "emulator/simt-emulated.h"
#include "ops/cuda/gemm/gemm.h"

namespace palestra::cuda {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr int hopper_shared_bytes = 227 << 10;

/** Emulates kernels and records their names. */
class NotingLauncher final : public Launcher {
 public:
  explicit NotingLauncher(bool reversed, int multiprocessors = 4)
      : reversed_(reversed), multiprocessors_(multiprocessors) {}
  int multiprocessors() const override { return multiprocessors_; }

  std::set<std::string> kernels;

 private:
  void launch_kernel(const char* name, Grid grid, int threads, size_t shared_bytes, const void* arguments) override {
    const simt::Kernel* kernel = simt::find_kernel(name);
    ASSERT_TRUE(kernel) << name;
    ASSERT_EQ(kernel->threads, threads) << name;
    kernels.insert(name);
    simt::run_grid(*kernel, {grid.x, grid.y, grid.z}, shared_bytes, arguments, reversed_);
  }
  const bool reversed_;
  const int multiprocessors_;
};

/** Uniform values in [-1, 1). Rows are apart, with NaN between them; aligned to 16 bytes, or at odd addresses. */
template <class T>
struct Matrix {
  Matrix(int rows, int columns, uint32_t seed, bool aligned = true)
      : rows(rows), columns(columns), stride(aligned ? (columns + 15) / 8 * 8 : columns + 3) {
    values.assign(rows * stride + 16, rounded_to<T>(nan));
    const auto address = reinterpret_cast<uintptr_t>(values.data());
    offset = static_cast<int>((16 - address % 16) % 16 / sizeof(T)) + !aligned;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        const auto word = philox({static_cast<uint32_t>(i), static_cast<uint32_t>(j), 0, 0}, {seed, 0})[0];
        at(i, j) = rounded_to<T>(2 * uniform(word) - 1);
      }
    }
  }
  Matrix(const Matrix&) = delete;

  T& at(int i, int j) { return values[offset + i * stride + j]; }
  T at(int i, int j) const { return values[offset + i * stride + j]; }
  Rows<T> view() { return {values.data() + offset, stride}; }
  Rows<const T> view() const { return {values.data() + offset, stride}; }
  std::string row_bytes(int i) const {
    return std::string(reinterpret_cast<const char*>(view()[i]), columns * sizeof(T));
  }

  int rows, columns;
  int64_t stride;
  int offset;
  std::vector<T> values;
};

/** A weight, whose rows have no gaps. */
template <class T>
struct PlainWeight {
  PlainWeight(int out, int in, uint32_t seed) : matrix(out, in, seed), values(out * in + 8) {
    first = static_cast<int>((16 - reinterpret_cast<uintptr_t>(values.data()) % 16) % 16 / sizeof(T));
    for (int i = 0; i < out; ++i) std::memcpy(&values[first + i * in], matrix.view()[i], in * sizeof(T));
  }
  Weight weight() const {
    const Dtype dtype = sizeof(T) == sizeof(float) ? Dtype::f32 : Dtype::bf16;
    return {values.data() + first, matrix.rows, matrix.columns, dtype, false};
  }
  Matrix<T> matrix;
  std::vector<T> values;
  int first;
};

/** sum over k of a(i, k) b(j, k) */
template <class A, class B>
double dot(int count, const A& a, const B& b) {
  double sum = 0;
  for (int k = 0; k < count; ++k) sum += widened(a(k)) * widened(b(k));
  return sum;
}

/** ||c - expected|| / ||expected||. Also expects that nothing was written between rows. */
template <class T, class Expected>
void expect_near(const Matrix<T>& c, const Expected& expected, double tolerance) {
  double difference = 0, size = 0;
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      const double e = expected(i, j);
      difference += (widened(c.at(i, j)) - e) * (widened(c.at(i, j)) - e);
      size += e * e;
    }
    for (int64_t j = c.columns; j < c.stride; ++j) {
      ASSERT_TRUE(std::isnan(widened(c.view()[i][j]))) << "beyond row " << i;
    }
  }
  EXPECT_LT(std::sqrt(difference / size), tolerance);
}

struct Case {
  int rows, out, in;
  bool aligned;
  Into into;
  bool bias;
};

template <class T>
struct Product {
  explicit Product(bool reversed, int multiprocessors = 4, int shared_bytes = hopper_shared_bytes)
      : launcher(reversed, multiprocessors), memory(size_t{64} << 20), gemm(launcher, memory, shared_bytes) {}

  static constexpr double tolerance = sizeof(T) == sizeof(float) ? 1e-6 : 4e-3;

  void check_linear(const Case& c) {
    const Matrix<T> x(c.rows, c.in, 1, c.aligned), before(c.rows, c.out, 3, c.aligned), bias(1, c.out, 4);
    const PlainWeight<T> w(c.out, c.in, 2);
    Matrix<T> y(c.rows, c.out, 3, c.aligned);
    if (c.into == Into::assign) std::fill_n(y.view()[0], c.rows * y.stride, rounded_to<T>(nan));
    gemm.linear(y.view(), x.view(), w.weight(), c.bias ? bias.view()[0] : nullptr, c.rows, c.into);
    const auto expected = [&](int i, int j) {
      return dot(c.in, [&](int k) { return x.at(i, k); }, [&](int k) { return w.matrix.at(j, k); }) +
             (c.into == Into::add ? widened(before.at(i, j)) : 0) + (c.bias ? widened(bias.at(0, j)) : 0);
    };
    expect_near(y, expected, tolerance);
    Matrix<float> logits(c.rows, c.out, 5, c.aligned);
    gemm.logits(logits.view(), x.view(), w.weight(), c.rows);
    const auto plain = [&](int i, int j) {
      return dot(c.in, [&](int k) { return x.at(i, k); }, [&](int k) { return w.matrix.at(j, k); });
    };
    expect_near(logits, plain, 1e-6);
  }

  void check_input_gradient(const Case& c) {
    const Matrix<T> dy(c.rows, c.out, 1, c.aligned), before(c.rows, c.in, 3, c.aligned);
    const PlainWeight<T> w(c.out, c.in, 2);
    Matrix<T> dx(c.rows, c.in, 3, c.aligned);
    if (c.into == Into::assign) std::fill_n(dx.view()[0], c.rows * dx.stride, rounded_to<T>(nan));
    gemm.linear_input_gradient(dx.view(), dy.view(), w.weight(), c.rows, c.into);
    const auto expected = [&](int i, int j) {
      return dot(c.out, [&](int k) { return dy.at(i, k); }, [&](int k) { return w.matrix.at(k, j); }) +
             (c.into == Into::add ? widened(before.at(i, j)) : 0);
    };
    expect_near(dx, expected, tolerance);
  }

  void check_weight_gradient(const Case& c) {
    const Matrix<T> dy(c.rows, c.out, 1, c.aligned), x(c.rows, c.in, 2, c.aligned);
    const PlainWeight<float> before(c.out, c.in, 3);
    PlainWeight<float> dw(c.out, c.in, 3);
    gemm.linear_weight_gradient(&dw.values[dw.first], dy.view(), x.view(), c.out, c.in, c.rows);
    Matrix<float> result(c.out, c.in, 3);
    for (int i = 0; i < c.out; ++i) {
      std::memcpy(result.view()[i], &dw.values[dw.first + i * c.in], c.in * sizeof(float));
    }
    const auto expected = [&](int i, int j) {
      return before.matrix.at(i, j) +
             dot(c.rows, [&](int k) { return dy.at(k, i); }, [&](int k) { return x.at(k, j); });
    };
    expect_near(result, expected, 1e-6);
  }

  void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << c.rows << " x " << c.out << " x " << c.in << (c.aligned ? "" : ", unaligned"));
    check_linear(c);
    check_input_gradient(c);
    check_weight_gradient(c);
  }

  NotingLauncher launcher;
  HostMemory memory;
  Gemm<T> gemm;
};

}  // namespace palestra::cuda
