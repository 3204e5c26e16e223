// The embedding's gradient: rows of equal tokens are added in their order, bit for bit, by any block.
#include "ops/cuda/rows/embedding.h"

#include "emulator/emulated-launcher.h"
#include "values.h"

namespace palestra::test {
namespace {

template <class Case>
class Embedding : public ::testing::Test {
 protected:
  cuda::EmulatedLauncher launcher_{Case::reversed};
};
TYPED_TEST_SUITE(Embedding, Cases);

/** Returns tokens distributed as in texts: a few frequent, most rare. */
std::vector<int32_t> tokens_of_text(int n, int vocabulary) {
  std::mt19937 random(7);
  std::vector<int32_t> tokens(n);
  for (int32_t& token : tokens) {
    const double u = static_cast<double>(random() >> 8) / (1 << 24);
    token = std::min(vocabulary - 1, static_cast<int>(vocabulary * u * u * u * u));
  }
  return tokens;
}

TYPED_TEST(Embedding, GradientIsTheSumInTheOrderOfRowsBitForBit) {
  using T = typename TypeParam::T;
  const int vocabulary = 50;
  for (const auto& [width, rows, stride] :
       {std::tuple{1, 40, 1}, {24, 1100, 24}, {33, 300, 35}, {1032, 70, 1032}, {8, 1, 8}}) {
    const std::vector<int32_t> tokens = tokens_of_text(rows, vocabulary);
    const auto dy = random_values<T>(static_cast<size_t>(rows) * stride, 1);
    const auto begin = random_values<float>(static_cast<size_t>(vocabulary) * width, 2);
    std::vector<float> exact = begin, whole = begin, parts = begin;
    for (int row = 0; row < rows; ++row) {
      float* const sum = exact.data() + tokens[row] * width;
      for (int i = 0; i < width; ++i) sum[i] += static_cast<float>(widened(dy[row * stride + i]));
    }
    const auto add = [&, width = width, stride = stride](std::vector<float>& dtable, int first, int count) {
      cuda::embed_gradient(this->launcher_, dtable.data(), Rows<const T>{dy.data() + first * stride, stride},
                           tokens.data() + first, width, count);
    };
    add(whole, 0, rows);
    EXPECT_TRUE(are_same(whole, exact)) << width;
    for (int first = 0; first < rows; first += 37) add(parts, first, std::min(37, rows - first));
    EXPECT_TRUE(are_same(parts, exact)) << width;
  }
}

TYPED_TEST(Embedding, ASingleTokenIsSummed) {
  using T = typename TypeParam::T;
  const int width = 16, rows = 1100;
  const auto dy = random_values<T>(width * rows, 1);
  const std::vector<int32_t> tokens(rows, 2);
  std::vector<float> dtable(3 * width, 0), exact(3 * width, 0);
  for (int i = 0; i < width * rows; ++i) exact[2 * width + i % width] += static_cast<float>(widened(dy[i]));
  cuda::embed_gradient(this->launcher_, dtable.data(), Rows<const T>{dy.data(), width}, tokens.data(), width, rows);
  EXPECT_TRUE(are_same(dtable, exact));
}

TYPED_TEST(Embedding, RowsBelongToTheTokens) {
  using T = typename TypeParam::T;
  const auto table = random_values<T>(20 * 40, 1);
  const std::vector<int32_t> tokens = {19, 0, 19, 7};
  std::vector<T> y(4 * 40);
  cuda::embed(this->launcher_, Rows<T>{y.data(), 40}, table.data(), tokens.data(), 40, 4);
  for (int i = 0; i < 160; ++i) EXPECT_EQ(widened(y[i]), widened(table[tokens[i / 40] * 40 + i % 40]));
}

}  // namespace
}  // namespace palestra::test
