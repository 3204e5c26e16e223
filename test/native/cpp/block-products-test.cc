// Products of blocks against sums in double, for every set of kernels, AMX by emulated tile registers.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/half.h"
#include "ops/cpu/gemm/block-products.h"

namespace palestra {

#if defined(__x86_64__)
extern const GemmKernels<float> gemm_emulated_amx;
#endif

namespace {

struct Kernels {
  const GemmKernels<float>* table;
  bool bf16;
};

std::vector<Kernels> all_kernels() {
  std::vector<Kernels> result{{&gemm_scalar, false}, {&gemm_scalar_bf16, true}};
#if defined(__x86_64__)
  const InstructionSet isa = detect_instruction_set();
  if (isa >= InstructionSet::avx2) result.insert(result.end(), {{&gemm_avx2, false}, {&gemm_avx2_bf16, true}});
  if (isa >= InstructionSet::avx512) result.push_back({&gemm_avx512, false});
  if (isa >= InstructionSet::avx512_bf16) {
    result.insert(result.end(), {{&gemm_avx512_bf16, true}, {&gemm_emulated_amx, true}});
  }
  if (isa >= InstructionSet::amx_bf16) result.push_back({&gemm_amx_bf16, true});
#endif
  return result;
}

/** Values that bfloat16 represents exactly, so that all kernels multiply the same ones. */
std::vector<float> values(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> result(n);
  for (float& value : result) value = to_float(to_bf16(normal(random)));
  return result;
}

struct Size {
  int rows;
  int columns;
  int k;
};

constexpr int padding = 3;

/** c + a b, where a lies along k or across it, and b is the part of a larger factor from (first k, first column) on. */
void expect_product(const Kernels& kernels, const Size& size, bool along_k, int first_column, int first_k) {
  const BlockProducts<float> products(*kernels.table);
  const int all_columns = first_column + size.columns, all_k = first_k + size.k;
  const int a_stride = (along_k ? size.k : size.rows) + padding, c_stride = size.columns + padding;
  const std::vector<float> a = values((along_k ? size.rows : size.k) * a_stride, 1), b = values(all_k * all_columns, 2);
  const std::vector<float> before = values(size.rows * c_stride, 3);
  std::vector<float> left_panels(products.left_elements(size.rows, size.k));
  std::vector<float> right_panels(products.right_elements(all_columns, all_k));
  const auto left = products.pack_left(left_panels.data(), {a.data(), a_stride, along_k, size.rows, size.k});
  const auto right = products.pack_right(right_panels.data(), {b.data(), all_columns, false, all_columns, all_k});
  std::vector<float> c = before;
  products.multiply({c.data(), c_stride}, left, products.part(right, first_column, first_k), size.columns, size.k,
                    Into::add);
  for (int i = 0; i < size.rows; ++i) {
    for (int j = 0; j < c_stride; ++j) {
      double expected = before[i * c_stride + j], magnitude = std::abs(expected);
      for (int p = 0; p < size.k && j < size.columns; ++p) {
        const double term = static_cast<double>(along_k ? a[i * a_stride + p] : a[p * a_stride + i]) *
                            b[(first_k + p) * all_columns + first_column + j];
        expected += term;
        magnitude += std::abs(term);
      }
      ASSERT_NEAR(c[i * c_stride + j], expected, 1e-6 * magnitude)
          << kernels.table->name << ": " << size.rows << " x " << size.columns << " x " << size.k << " at " << i << ", "
          << j;
    }
  }
}

TEST(BlockProducts, EqualSumsInDouble) {
  const std::vector<Size> sizes{{1, 1, 1}, {64, 64, 64}, {64, 256, 64}, {33, 40, 31}, {17, 72, 65}, {64, 64, 700},
                                {5, 8, 2}, {40, 33, 128}};
  for (const Kernels& kernels : all_kernels()) {
    for (const Size& size : sizes) {
      for (bool along_k : {true, false}) {
        expect_product(kernels, size, along_k, 0, 0);
        expect_product(kernels, size, along_k, 256, 0);
        expect_product(kernels, size, along_k, 0, 256);
      }
    }
  }
}

#if defined(__x86_64__)
TEST(BlockProducts, EmulatedTilesGiveTheBitsOfTheProcessor) {
  if (detect_instruction_set() < InstructionSet::amx_bf16) GTEST_SKIP() << "no AMX here";
  const std::vector<float> a = values(33 * 65, 1), b = values(65 * 40, 2);
  std::vector<float> c[2];
  for (const GemmKernels<float>* kernels : {&gemm_amx_bf16, &gemm_emulated_amx}) {
    const BlockProducts<float> products(*kernels);
    std::vector<float> left(products.left_elements(33, 65)), right(products.right_elements(40, 65));
    std::vector<float>& sums = c[kernels == &gemm_amx_bf16];
    sums.resize(33 * 40);
    products.multiply({sums.data(), 40}, products.pack_left(left.data(), {a.data(), 65, true, 33, 65}),
                      products.pack_right(right.data(), {b.data(), 40, false, 40, 65}), 40, 65, Into::assign);
  }
  EXPECT_EQ(c[0], c[1]);
}
#endif

}  // namespace
}  // namespace palestra
