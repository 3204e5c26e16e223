// Matrix products, emulated: bitwise guarantees for every choice of kernel.
#include "gemm-rig.h"

namespace palestra::cuda {
namespace {

class CudaGemmBits : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Orders, CudaGemmBits, testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

/** Returns the rows of a product by any kernel. */
template <class T>
std::vector<std::string> linear_rows(Product<T>& product, const Matrix<T>& x, const Weight& w, int rows) {
  Matrix<T> y(rows, w.out, 3);
  product.gemm.linear(y.view(), x.view(), w, nullptr, rows, Into::add);
  std::vector<std::string> bytes;
  for (int i = 0; i < rows; ++i) bytes.push_back(y.row_bytes(i));
  return bytes;
}

/** Each row gets the same bits for any number of rows, growing by `step`. */
template <class T>
void expect_rows_alone(bool reversed, int step) {
  constexpr int most = 300;
  const Matrix<T> x(most, 72, 1);
  const PlainWeight<T> w(24, 72, 2);
  Product<T> whole(reversed, 1), many(reversed, 132);
  const auto expected = linear_rows(whole, x, w.weight(), most);
  for (int rows = 1; rows <= most; rows += step) {
    const auto bytes = linear_rows(rows % 2 ? whole : many, x, w.weight(), rows);
    ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), expected.begin())) << rows;
  }
}

TEST_P(CudaGemmBits, ARowDoesNotDependOnTheRowsBesideIt) { expect_rows_alone<bf16>(GetParam(), GetParam() ? 7 : 1); }
TEST_P(CudaGemmBits, ARowDoesNotDependOnTheRowsBesideItInFloat) { expect_rows_alone<float>(GetParam(), 9); }

TEST_P(CudaGemmBits, BitsDoNotDependOnSlices) {
  constexpr int most = 257, in = 2 * 2048 + 8;
  const Matrix<bf16> x(most, in, 1);
  const PlainWeight<bf16> w(24, in, 2);
  Product<bf16> whole(GetParam(), 1), many(GetParam(), 132);
  const auto expected = linear_rows(whole, x, w.weight(), most);
  for (const int rows : {1, 2, 16, 17, 33, 64, 65, 129, most}) {
    const auto bytes = linear_rows(many, x, w.weight(), rows);
    ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), expected.begin())) << rows;
  }
  EXPECT_EQ(whole.launcher.kernels.count("gemm_fold_bf16"), 0u);
  EXPECT_EQ(many.launcher.kernels.count("gemm_fold_bf16"), 1u);
}

/** The same for a row of an input gradient, for rows of both alignments. */
TEST_P(CudaGemmBits, BitsOfAGradientDoNotDependOnTilesAndLayouts) {
  constexpr int most = 200;
  const Matrix<bf16> dy(most, 152, 1), odd(most, 152, 1, false);
  const PlainWeight<bf16> w(152, 72, 2);
  Product<bf16> product(GetParam(), 1);
  Matrix<bf16> expected(most, 72, 3);
  product.gemm.linear_input_gradient(expected.view(), dy.view(), w.weight(), most, Into::add);
  for (const int rows : {1, 15, 63, 64, 65, 128, 131, 193, most}) {
    for (const Matrix<bf16>* factor : {&dy, &odd}) {
      Matrix<bf16> dx(rows, 72, 3);
      product.gemm.linear_input_gradient(dx.view(), factor->view(), w.weight(), rows,
                                         Into::add);
      for (int i = 0; i < rows; ++i) ASSERT_EQ(dx.row_bytes(i), expected.row_bytes(i)) << rows;
    }
  }
}

/** Tokens in one call or in several: in sixteens with tensor cores, in any number in float. */
template <class T>
void expect_sum_goes_on(bool reversed, const std::vector<int>& parts) {
  constexpr int rows = 240, out = 72, in = 40;
  const Matrix<T> dy(rows, out, 1), x(rows, in, 2);
  Product<T> product(reversed, 1);
  PlainWeight<float> whole(out, in, 3);
  product.gemm.linear_weight_gradient(&whole.values[whole.first], dy.view(), x.view(), out, in, rows);
  for (const int part : parts) {
    PlainWeight<float> dw(out, in, 3);
    for (int row = 0; row < rows; row += part) {
      const Rows<const T> dy_part = {dy.view()[row], dy.stride}, x_part = {x.view()[row], x.stride};
      product.gemm.linear_weight_gradient(&dw.values[dw.first], dy_part, x_part, out, in, std::min(part, rows - row));
    }
    EXPECT_EQ(std::memcmp(&dw.values[dw.first], &whole.values[whole.first], out * in * sizeof(float)), 0) << part;
  }
}

TEST_P(CudaGemmBits, ASumOverTokensInSeveralCallsHasTheBitsOfOneCall) {
  expect_sum_goes_on<bf16>(GetParam(), {16, 48, 64, 112, 208});
  expect_sum_goes_on<float>(GetParam(), {1, 7, 16, 100});
}

}  // namespace
}  // namespace palestra::cuda
