// Matrix products, emulated, against plain loops in double.
#include "gemm-rig.h"
#include "ops/cuda/gemm/gemm-plan.h"

namespace palestra::cuda {
namespace {

class CudaGemm : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Orders, CudaGemm, testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

const Case cases[] = {
    {1, 1, 1, true, Into::assign, false},       {1, 1, 1, false, Into::add, true},
    {3, 33, 8, true, Into::add, true},          {17, 40, 72, true, Into::assign, true},
    {5, 7, 130, true, Into::add, false},        {65, 72, 136, true, Into::add, true},
    {66, 104, 24, true, Into::assign, false},   {31, 130, 200, false, Into::add, false},
    {70, 9, 65, false, Into::assign, true},     {2, 200, 264, true, Into::assign, false},
};

TEST_P(CudaGemm, MultipliesBf16) {
  Product<bf16> product(GetParam());
  for (const Case& c : cases) product.check(c);
}

TEST_P(CudaGemm, MultipliesFloat) {
  Product<float> product(GetParam());
  for (const Case& c : cases) product.check(c);
  product.check({130, 70, 50, false, Into::add, true});
}

/**
 * The choice of a device with that many multiprocessors for such an output. Most outputs extend past the tile's edge.
 */
struct Choice {
  const char* tile;
  int multiprocessors, m, n;
};
const Choice linear_choices[] = {{"16x32", 1, 9, 35},     {"32x32", 2, 25, 41},    {"64x32", 3, 41, 43},
                                 {"64x64", 2, 44, 42},    {"64x128", 3, 30, 201},  {"128x128", 2, 73, 137},
                                 {"128x256", 2, 137, 139}, {"192x192", 2, 140, 270}};
const Choice gradient_choices[] = {{"64x64", 1, 9, 35},
                                   {"64x128", 3, 12, 202},
                                   {"128x128", 2, 74, 137},
                                   {"128x256", 2, 137, 140},
                                   {"192x192", 2, 141, 265}};

TEST_P(CudaGemm, EveryTileMultiplies) {
  const auto expect_kernel = [&](const Choice& choice, const char* layout, auto check) {
    Product<bf16> product(GetParam(), choice.multiprocessors);
    check(product);
    EXPECT_EQ(product.launcher.kernels.count(std::string("gemm_") + layout + "_" + choice.tile + "_bf16"), 1u)
        << layout << " " << choice.tile;
  };
  const auto sized = [](int rows, int out, int in) {
    return Case{rows, (out + 7) / 8 * 8, (in + 7) / 8 * 8, true, Into::add, true};
  };
  for (const Choice& c : linear_choices) {
    expect_kernel(c, "linear", [&](auto& product) { product.check_linear({c.m, c.n, 72, true, Into::add, true}); });
  }
  for (const Choice& c : gradient_choices) {
    expect_kernel(c, "input_gradient", [&](auto& product) { product.check_input_gradient(sized(c.m, 72, c.n)); });
    expect_kernel(c, "weight_gradient", [&](auto& product) { product.check_weight_gradient(sized(75, c.m, c.n)); });
  }
}

/** Sums over k past `longest_slice`: slice after slice in each tile, or side by side. */
TEST_P(CudaGemm, AddsUpSlices) {
  for (const int multiprocessors : {1, 132}) {
    Product<bf16> product(GetParam(), multiprocessors);
    product.check_linear({9, 24, 4 * 1024 + 72, true, Into::add, true});
    product.check_linear({3, 5, 2051, false, Into::assign, true});
    EXPECT_EQ(product.launcher.kernels.count("gemm_fold_bf16"), multiprocessors > 1 ? 1u : 0u);
  }
}

/** Infinity and NaN stay in their row and column: the zeros that fill up tiles meet them only in unused results. */
TEST_P(CudaGemm, KeepsInfinityAndNanInTheirRowsAndColumns) {
  Product<bf16> product(GetParam());
  Matrix<bf16> x(7, 9, 1), y(7, 19, 3);
  PlainWeight<bf16> w(19, 9, 2);
  x.at(6, 8) = to_bf16(INFINITY);
  w.values[w.first + 18 * 9 + 8] = to_bf16(nan);
  product.gemm.linear(y.view(), {x.view().data, x.stride}, w.weight(), nullptr, 7, Into::assign);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 18; ++j) EXPECT_EQ(std::isfinite(to_float(y.at(i, j))), i != 6) << i << ", " << j;
    EXPECT_TRUE(std::isnan(to_float(y.at(i, 18))));
  }
}

TEST_P(CudaGemm, EmptyProductsAreAllowed) {
  Product<bf16> product(GetParam());
  const Matrix<bf16> x(4, 8, 1), bias(1, 8, 2);
  PlainWeight<bf16> w(8, 8, 2);
  Weight none = w.weight();
  none.in = 0;
  Matrix<bf16> y(4, 8, 3);
  product.gemm.linear(y.view(), x.view(), none, bias.view()[0], 4, Into::assign);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(y.row_bytes(i), bias.row_bytes(0));
  product.launcher.kernels.clear();
  product.gemm.linear(y.view(), x.view(), w.weight(), nullptr, 0, Into::assign);
  EXPECT_TRUE(product.launcher.kernels.empty());
}

/** Also for devices with little shared memory, where slices are not kept. */
TEST(CudaGemmPlan, FitsTheDevice) {
  for (const int shared_bytes : {99 << 10, 163 << 10, hopper_shared_bytes}) {
    for (const GemmLayout layout : {GemmLayout::linear, GemmLayout::input_gradient, GemmLayout::weight_gradient}) {
      for (const int m : {1, 64, 300, 20000}) {
        for (const int k : {64, 896, 4864, 20000}) {
          for (const bool aligned : {true, false}) {
            const GemmPlan plan = plan_gemm({layout, m, 896, k, aligned}, {132, shared_bytes, 16 << 20});
            ASSERT_TRUE(plan.kernel);
            EXPECT_LE(plan.shared_bytes, static_cast<size_t>(shared_bytes)) << plan.kernel;
            EXPECT_LE(size_t{4} * (plan.slices_at_once > 1 ? plan.slices_at_once : 0) * m * 896, size_t{16} << 20);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace palestra::cuda
