// RMSNorm and its gradient against their formulas in double, at sizes that fill no warp, in both orders of threads.
#include "ops/cuda/rows/norm.h"

#include "emulator/emulated-launcher.h"
#include "values.h"

namespace palestra::test {
namespace {

struct Shape {
  int width, rows, heads;
  /** Elements between rows, and before the first one. Odd numbers prevent 16-byte accesses. */
  int gap, before;
};

const std::vector<Shape> shapes = {{896, 3, 1, 0, 0}, {896, 2, 1, 3, 1}, {1, 5, 1, 0, 0},   {7, 33, 1, 0, 0},
                                   {33, 3, 2, 1, 0},  {64, 5, 3, 8, 8},  {128, 18, 2, 0, 0}, {1608, 2, 1, 0, 0},
                                   {2050, 2, 1, 0, 0}};

template <class T>
struct Matrix {
  Matrix(const Shape& shape, uint32_t seed)
      : stride(shape.width * shape.heads + shape.gap),
        before(shape.before),
        values(random_values<T>(static_cast<size_t>(stride) * shape.rows + before, seed)) {}
  Rows<T> rows() { return {values.data() + before, stride}; }
  Rows<const T> constant() const { return {values.data() + before, stride}; }
  double at(int row, int column) const { return widened(values[before + row * stride + column]); }

  int stride, before;
  std::vector<T> values;
};

template <class Case>
class Norm : public ::testing::Test {};

TYPED_TEST_SUITE(Norm, Cases);

constexpr float epsilon = 1e-3f;

double exact_rstd(const std::function<double(int)>& x, int width) {
  double sum = 0;
  for (int i = 0; i < width; ++i) sum += x(i) * x(i);
  return 1 / std::sqrt(sum / width + double{epsilon});
}

TYPED_TEST(Norm, EqualsItsFormula) {
  using T = typename TypeParam::T;
  cuda::EmulatedLauncher launcher(TypeParam::reversed);
  for (const Shape& shape : shapes) {
    const int vectors = shape.rows * shape.heads;
    Matrix<T> x(shape, 1), y(shape, 2);
    const auto w = random_values<T>(shape.width, 3);
    std::vector<float> rstd(vectors);
    const Matrix<T> before = y;
    cuda::rms_norm(launcher, y.rows(), rstd.data(), x.constant(), w.data(), shape.width, shape.rows, epsilon,
                   shape.heads);
    std::vector<double> exact(y.values.size()), exact_rstds(vectors);
    for (size_t i = 0; i < exact.size(); ++i) exact[i] = widened(before.values[i]);  // Gaps stay unchanged.
    for (int v = 0; v < vectors; ++v) {
      const int row = v / shape.heads, column = v % shape.heads * shape.width;
      const double scale = exact_rstd([&](int i) { return x.at(row, column + i); }, shape.width);
      exact_rstds[v] = scale;
      for (int i = 0; i < shape.width; ++i) {
        exact[y.before + row * y.stride + column + i] = x.at(row, column + i) * scale * widened(w[i]);
      }
    }
    EXPECT_LT(relative_error(y.values, exact), tolerance<T>) << shape.width;
    EXPECT_LT(relative_error(rstd, exact_rstds), 1e-6) << shape.width;
    Matrix<T> own = x;
    cuda::rms_norm(launcher, own.rows(), nullptr, own.constant(), w.data(), shape.width, shape.rows, epsilon,
                   shape.heads);
    for (int i = 0; i < shape.width * shape.heads; ++i) EXPECT_EQ(own.at(0, i), y.at(0, i));
  }
}

TYPED_TEST(Norm, GradientEqualsItsFormula) {
  using T = typename TypeParam::T;
  cuda::EmulatedLauncher launcher(TypeParam::reversed);
  HostMemory memory(size_t{64} << 20);
  cuda::GroupSums sums(memory);
  for (const Shape& shape : shapes) {
    for (Into into : {Into::assign, Into::add}) {
      const int vectors = shape.rows * shape.heads, width = shape.width;
      Matrix<T> x(shape, 1), dy(shape, 2), dx(shape, 3);
      const auto w = random_values<T>(width, 4);
      auto dw = random_values<float>(width, 5);
      std::vector<double> exact_dw(dw.begin(), dw.end()), exact_dx(dx.values.size());
      for (size_t i = 0; i < exact_dx.size(); ++i) exact_dx[i] = widened(dx.values[i]);
      std::vector<float> rstd(vectors);
      for (int v = 0; v < vectors; ++v) {
        const int row = v / shape.heads, column = v % shape.heads * width;
        const double scale = exact_rstd([&](int i) { return x.at(row, column + i); }, width);
        rstd[v] = static_cast<float>(scale);
        double mean = 0;
        for (int i = 0; i < width; ++i) mean += widened(w[i]) * dy.at(row, column + i) * x.at(row, column + i) * scale;
        mean /= width;
        for (int i = 0; i < width; ++i) {
          double& to = exact_dx[dx.before + row * dx.stride + column + i];
          const double xhat = x.at(row, column + i) * scale, of_y = dy.at(row, column + i);
          to = (into == Into::add ? to : 0) + scale * (widened(w[i]) * of_y - xhat * mean);
          exact_dw[i] += of_y * xhat;
        }
      }
      cuda::rms_norm_gradient(launcher, sums, dx.rows(), dw.data(), dy.constant(), x.constant(), w.data(), rstd.data(),
                              width, shape.rows, into, shape.heads);
      // At width 1 the norm cancels the gradient, except epsilon's part.
      if (width > 1) {
        EXPECT_LT(relative_error(dx.values, exact_dx), tolerance<T>) << width;
      }
      EXPECT_LT(relative_error(dw, exact_dw), 1e-5) << width;
      if (into == Into::add) continue;
      auto in_place = dy;
      cuda::rms_norm_gradient(launcher, sums, in_place.rows(), nullptr, in_place.constant(), x.constant(), w.data(),
                              rstd.data(), width, shape.rows, into, shape.heads);
      for (int i = 0; i < width * shape.heads; ++i) EXPECT_EQ(in_place.at(0, i), dx.at(0, i));
    }
  }
}

TYPED_TEST(Norm, RowsDoNotDependOnOtherRows) {
  using T = typename TypeParam::T;
  cuda::EmulatedLauncher launcher(TypeParam::reversed);
  const int width = 200, rows = 21;
  const auto x = random_values<T>(width * rows, 1), w = random_values<T>(width, 2);
  std::vector<T> together(x.size()), alone(x.size());
  std::vector<T> shifted(x.size() + 1), of_shifted(x.size() + 1);
  std::copy(x.begin(), x.end(), shifted.begin() + 1);
  const auto norm = [&](T* y, const T* from, int count) {
    cuda::rms_norm(launcher, Rows<T>{y, width}, nullptr, Rows<const T>{from, width}, w.data(), width, count, epsilon,
                   1);
  };
  norm(together.data(), x.data(), rows);
  for (int row = 0; row < rows; ++row) norm(alone.data() + row * width, x.data() + row * width, 1);
  EXPECT_TRUE(are_same(together, alone));
  norm(of_shifted.data() + 1, shifted.data() + 1, rows);
  EXPECT_TRUE(are_same(together, {of_shifted.begin() + 1, of_shifted.end()})) << "without 16-byte accesses";
}

TYPED_TEST(Norm, WeightGradientInCallsOfSixteenRowsHasTheBitsOfOneCall) {
  using T = typename TypeParam::T;
  cuda::EmulatedLauncher launcher(TypeParam::reversed);
  HostMemory memory(size_t{64} << 20);
  cuda::GroupSums sums(memory);
  const int width = 40, rows = 16 * 9 + 5, heads = 2;
  const size_t size = static_cast<size_t>(width) * heads * rows;
  const auto x = random_values<T>(size, 1), dy = random_values<T>(size, 2), w = random_values<T>(width, 3);
  const auto rstd = random_values<float>(rows * heads, 4);
  const auto begin = random_values<float>(width, 5);
  std::vector<T> dx(size);
  const auto gradient = [&](std::vector<float>& dw, int first, int count) {
    const size_t at = static_cast<size_t>(first) * width * heads;
    cuda::rms_norm_gradient(launcher, sums, Rows<T>{dx.data() + at, width * heads}, dw.data(),
                            Rows<const T>{dy.data() + at, width * heads}, Rows<const T>{x.data() + at, width * heads},
                            w.data(), rstd.data() + first * heads, width, count, Into::assign, heads);
  };
  std::vector<float> whole = begin, parts = begin;
  gradient(whole, 0, rows);
  for (int first = 0; first < rows; first += 48) gradient(parts, first, std::min(48, rows - first));
  EXPECT_TRUE(are_same(whole, parts));
}

}  // namespace
}  // namespace palestra::test
