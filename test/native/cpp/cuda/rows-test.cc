// Gathering, adding, scaling, rounding and summing rows, and the activation functions, against plain loops.
#include "ops/cuda/rows/rows.h"

#include "core/failure.h"
#include "emulator/emulated-launcher.h"
#include "ops/cpu/rows/dropout.h"
#include "ops/cuda/rows/activation.h"
#include "ops/cuda/rows/group-sums.h"
#include "ops/cuda/rows/rotary.h"
#include "values.h"

namespace palestra::test {
namespace {

template <class Case>
class RowKernels : public ::testing::Test {
 protected:
  using T = typename Case::T;
  cuda::EmulatedLauncher launcher_{Case::reversed};
};
TYPED_TEST_SUITE(RowKernels, Cases);

const std::vector<int> widths = {1, 7, 64, 131, 896};

TYPED_TEST(RowKernels, GatherAndScatterFollowIndices) {
  using T = typename TypeParam::T;
  for (int width : widths) {
    for (int gap : {0, 8, 1}) {
      const int stride = width + gap, rows = 9;
      const std::vector<int32_t> indices = {8, 0, 5, 3, 1};
      const auto x = random_values<T>(static_cast<size_t>(rows) * stride, 1);
      std::vector<T> y(5 * stride, T{});
      cuda::gather_rows(this->launcher_, Rows<T>{y.data(), stride}, Rows<const T>{x.data(), stride}, indices.data(),
                        width, 5);
      auto sum = random_values<T>(x.size(), 2), exact = sum;
      for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < stride; ++j) {
          const T from = x[indices[i] * stride + j];
          ASSERT_EQ(widened(y[i * stride + j]), j < width ? widened(from) : 0) << width << " " << gap;
          T& to = exact[indices[i] * stride + j];
          if (j < width) to = rounded_to<T>(widened(to) + widened(from));
        }
      }
      cuda::scatter_rows(this->launcher_, Rows<T>{sum.data(), stride}, Rows<const T>{y.data(), stride}, indices.data(),
                         width, 5);
      EXPECT_TRUE(are_same(sum, exact)) << width << " " << gap;
    }
  }
}

TYPED_TEST(RowKernels, ScaleLeavesGapsUnchanged) {
  using T = typename TypeParam::T;
  for (int width : widths) {
    const int stride = width + 3;
    auto x = random_values<T>(5 * stride, 1), exact = x;
    for (int i = 0; i < 5 * stride; ++i) {
      if (i % stride < width) exact[i] = rounded_to<T>(widened(exact[i]) * 0.375);
    }
    cuda::scale(this->launcher_, Rows<T>{x.data(), stride}, 0.375f, width, 5);
    EXPECT_TRUE(are_same(x, exact)) << width;
  }
}

TYPED_TEST(RowKernels, DropHasTheMaskOfTheCpu) {
  using T = typename TypeParam::T;
  const std::vector<uint32_t> sequences = {7, 7, 7, 0xFFFFFFFF, 9};
  const std::vector<int32_t> positions = {0, 1, 2, 0, 70000};
  const Dropout dropout = {0.3f, {5, 0x80000001}, 6, sequences.data(), positions.data()};
  for (int width : widths) {
    for (Into into : {Into::assign, Into::add}) {
      const int stride = width + 3;
      const auto x = random_values<T>(5 * stride, 1);
      auto y = random_values<T>(5 * stride, 2), exact = y;
      for (int row = 0; row < 5; ++row) {
        std::vector<float> from(width), to(width);
        for (int i = 0; i < width; ++i) {
          from[i] = static_cast<float>(widened(x[row * stride + i]));
          to[i] = static_cast<float>(widened(y[row * stride + i]));
        }
        drop_row(to.data(), from.data(), dropout, row, width, into);
        for (int i = 0; i < width; ++i) exact[row * stride + i] = rounded_to<T>(to[i]);
      }
      cuda::drop(this->launcher_, Rows<T>{y.data(), stride}, Rows<const T>{x.data(), stride}, dropout, width, 5, into);
      EXPECT_TRUE(are_same(y, exact)) << width;
    }
  }
}

TYPED_TEST(RowKernels, RoundAndAddSupportAnyLength) {
  using T = typename TypeParam::T;
  for (size_t n : {1u, 8u, 2047u, 2048u, 5003u}) {
    for (size_t before : {0u, 1u}) {
      const auto from = random_values<float>(n + before, 1);
      std::vector<T> to(n + before + 1, T{});
      auto sum = random_values<float>(n + before, 2), exact = sum;
      cuda::round(this->launcher_, to.data() + before, from.data() + before, n);
      cuda::add(this->launcher_, sum.data() + before, from.data() + before, n);
      for (size_t i = before; i < n + before; ++i) {
        ASSERT_EQ(widened(to[i]), widened(rounded_to<T>(from[i])));
        exact[i] += from[i];
      }
      EXPECT_EQ(widened(to[n + before]), 0);
      EXPECT_TRUE(are_same(sum, exact));
    }
  }
}

TYPED_TEST(RowKernels, BiasGradientSumsRowsInOrder) {
  using T = typename TypeParam::T;
  HostMemory memory(size_t{64} << 20);
  cuda::GroupSums sums(memory);
  for (int width : widths) {
    const int stride = width + (width == 64 ? 8 : 0), rows = 16 * 135 + 3;
    const auto dy = random_values<T>(static_cast<size_t>(rows) * stride, 1);
    const auto begin = random_values<float>(width, 2);
    auto whole = begin, parts = begin;
    std::vector<double> exact(begin.begin(), begin.end());
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < width; ++i) exact[i] += widened(dy[row * stride + i]);
    }
    const auto sum = [&](std::vector<float>& db, int first, int count) {
      cuda::bias_gradient(this->launcher_, sums, db.data(), Rows<const T>{dy.data() + first * stride, stride}, width,
                          count);
    };
    sum(whole, 0, rows);
    EXPECT_LT(relative_error(whole, exact), 1e-5) << width;
    for (int first = 0; first < rows; first += 784) sum(parts, first, std::min(784, rows - first));
    EXPECT_TRUE(are_same(whole, parts)) << width;
  }
}

/** Rows that exceed the workspace give the bits of rows that come in several calls. */
TYPED_TEST(RowKernels, SumsBeyondTheWorkspaceContinue) {
  using T = typename TypeParam::T;
  HostMemory memory(size_t{64} << 20);
  cuda::GroupSums sums(memory);
  const int width = 1 << 17, rows = 16 * 9;  // 8 groups fit
  std::vector<T> dy(static_cast<size_t>(rows) * 8);
  for (size_t i = 0; i < dy.size(); ++i) dy[i] = rounded_to<T>(static_cast<double>(i % 5) + 1);
  std::vector<float> db(width, 1);
  // All rows overlap except in their first columns: a stride of 8.
  std::vector<T> rows_of(dy);
  rows_of.resize(dy.size() + width, rounded_to<T>(0));
  cuda::bias_gradient(this->launcher_, sums, db.data(), Rows<const T>{rows_of.data(), 8}, width, rows);
  double first = 1;
  for (int row = 0; row < rows; ++row) first += widened(rows_of[row * 8]);
  EXPECT_EQ(db[0], first);
  EXPECT_EQ(db[width - 1], 1);
  const Rows<const T> too_wide{rows_of.data(), 8};
  EXPECT_THROW(cuda::bias_gradient(this->launcher_, sums, db.data(), too_wide, (1 << 20) + 1, 1), Failure);
}

TYPED_TEST(RowKernels, SwiGluEqualsItsFormula) {
  using T = typename TypeParam::T;
  for (int width : widths) {
    const int rows = 3;
    const size_t n = static_cast<size_t>(rows) * width;
    const auto gate_up = random_values<T>(2 * n, 1, 4), dy = random_values<T>(n, 2);
    std::vector<T> y(n), gradient(2 * n);
    std::vector<double> exact(n), exact_gradient(2 * n);
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < width; ++i) {
        const size_t at = row * 2 * width + i;
        const double gate = widened(gate_up[at]), up = widened(gate_up[at + width]), of_y = widened(dy[row * width + i]);
        const double s = 1 / (1 + std::exp(-gate));
        exact[row * width + i] = gate * s * up;
        exact_gradient[at] = of_y * up * (s + gate * s * (1 - s));
        exact_gradient[at + width] = of_y * gate * s;
      }
    }
    cuda::swiglu(this->launcher_, y.data(), gate_up.data(), width, rows);
    EXPECT_LT(relative_error(y, exact), tolerance<T>) << width;
    std::vector<T> again(n);
    cuda::swiglu_gradient(this->launcher_, gradient.data(), again.data(), dy.data(), gate_up.data(), width, rows);
    EXPECT_LT(relative_error(gradient, exact_gradient), tolerance<T>) << width;
    EXPECT_TRUE(are_same(again, y)) << width;
    auto in_place = gate_up, from_dy = dy;
    T *const gates = in_place.data(), *const dys = from_dy.data();
    cuda::swiglu_gradient(this->launcher_, gates, dys, dys, gates, width, rows);
    EXPECT_TRUE(are_same(in_place, gradient)) << width;
    EXPECT_TRUE(are_same(from_dy, y)) << width;
  }
}

TYPED_TEST(RowKernels, SwiGluStaysFiniteForLargeInputs) {
  using T = typename TypeParam::T;
  const std::vector<double> gates = {-1000, -100, -88, 88, 100, 1000};
  std::vector<T> gate_up(12), y(6), gradient(12);
  const std::vector<T> dy(6, rounded_to<T>(1));
  for (int i = 0; i < 6; ++i) {
    gate_up[i] = rounded_to<T>(gates[i]);
    gate_up[6 + i] = rounded_to<T>(1);
  }
  cuda::swiglu(this->launcher_, y.data(), gate_up.data(), 6, 1);
  cuda::swiglu_gradient(this->launcher_, gradient.data(), y.data(), dy.data(), gate_up.data(), 6, 1);
  EXPECT_EQ(widened(y[0]), 0);
  EXPECT_LT(std::fabs(widened(y[2])), 1e-30);
  EXPECT_EQ(widened(y[3]), 88);
  EXPECT_EQ(widened(y[5]), 1000);
  EXPECT_EQ(widened(gradient[0]), 0);
  EXPECT_EQ(widened(gradient[5]), 1);
}

TYPED_TEST(RowKernels, RotationRotatesPairsByTheirAngles) {
  using T = typename TypeParam::T;
  for (int size : {2, 20, 64, 128}) {
    const int rows = 3, heads = 3, half = size / 2, stride = heads * size + 8;
    const std::vector<int32_t> positions = {0, 5, 131071};
    std::vector<float> frequencies(half), turns(rows * size);
    for (int i = 0; i < half; ++i) frequencies[i] = static_cast<float>(std::pow(10000.0, -2.0 * i / size));
    const auto x = random_values<T>(rows * stride, 1);
    std::vector<double> exact_turns(turns.size()), exact(x.size());
    for (size_t i = 0; i < exact.size(); ++i) exact[i] = widened(x[i]);
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < half; ++i) {
        const double angle = static_cast<double>(positions[row]) * frequencies[i];
        exact_turns[row * size + i] = std::cos(angle);
        exact_turns[row * size + half + i] = std::sin(angle);
        for (int head = 0; head < heads; ++head) {
          const int at = row * stride + head * size + i;
          exact[at] = widened(x[at]) * std::cos(angle) - widened(x[at + half]) * std::sin(angle);
          exact[at + half] = widened(x[at + half]) * std::cos(angle) + widened(x[at]) * std::sin(angle);
        }
      }
    }
    cuda::rotary_turns(this->launcher_, turns.data(), positions.data(), frequencies.data(), size, rows);
    EXPECT_LT(relative_error(turns, exact_turns), 1e-6);
    auto turned = x;
    cuda::rotate(this->launcher_, Rows<T>{turned.data(), stride}, turns.data(), heads, size, rows, 1);
    EXPECT_LT(relative_error(turned, exact), tolerance<T>) << size;
    cuda::rotate(this->launcher_, Rows<T>{turned.data(), stride}, turns.data(), heads, size, rows, -1);
    EXPECT_LT(relative_error(turned, x), tolerance<T>) << size;
  }
}

}  // namespace
}  // namespace palestra::test
