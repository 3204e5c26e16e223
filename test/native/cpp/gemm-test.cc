#include "ops/cpu/gemm/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/failure.h"
#include "core/philox.h"

namespace palestra {
namespace {

HostMemory memory(size_t{1} << 30);

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (int isa = 0; isa <= static_cast<int>(detect_instruction_set()); ++isa)
    sets.push_back(static_cast<InstructionSet>(isa));
  return sets;
}

/** A matrix of uniform values in [-1, 1). Its rows are apart, at an odd address, with NaN between them. */
template <class T>
struct Matrix {
  Matrix(int rows, int columns, uint32_t seed) : rows(rows), columns(columns), stride(columns + 3) {
    values.assign(1 + rows * stride, nan);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        at(i, j) = 2 * uniform(philox({static_cast<uint32_t>(i), static_cast<uint32_t>(j), 0, 0}, {seed, 0})[0]) - 1;
  }
  T& at(int i, int j) { return values[1 + i * stride + j]; }
  T at(int i, int j) const { return values[1 + i * stride + j]; }
  Rows<T> view() { return {values.data() + 1, stride}; }
  Rows<const T> view() const { return {values.data() + 1, stride}; }
  Matrix transposed() const {
    Matrix result(columns, rows, 0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) result.at(j, i) = at(i, j);
    return result;
  }
  Matrix rounded_to_bf16() const {
    Matrix result = *this;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) result.at(i, j) = to_float(to_bf16(at(i, j)));
    return result;
  }
  /** Returns the bytes, including those between the rows. */
  std::string bytes() const {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }

  int rows, columns;
  int64_t stride;
  std::vector<T> values;
};

struct Shape {
  int m, n, k;
};

std::ostream& operator<<(std::ostream& out, const Shape& s) { return out << s.m << "x" << s.n << "x" << s.k; }

/**
 * Shapes around the edges of tiles, panels, units and cache blocks: small ones, and some large enough for several
 * tiles.
 */
const std::vector<Shape> shapes = {
    {1, 1, 1},      {1, 1, 2},    {2, 3, 5},    {1, 16, 8},  {1, 97, 33},   {2, 64, 31},   {3, 65, 17},
    {4, 15, 129},   {5, 33, 64},  {6, 16, 16},  {7, 17, 1},  {8, 32, 7},    {9, 31, 257},  {13, 130, 300},
    {48, 48, 48},   {97, 49, 515}, {12, 100, 40}, {101, 203, 61}, {1, 300, 400}, {16, 257, 700}, {200, 20, 90}};

/** a b in double, added to c if requested. */
template <class T>
double reference(const Matrix<T>& a, const Matrix<T>& b, int i, int j) {
  double sum = 0;
  for (int p = 0; p < a.columns; ++p) sum += static_cast<double>(a.at(i, p)) * b.at(p, j);
  return sum;
}

template <class T>
Factor<T> factor(const Matrix<T>& matrix, bool transposed) {
  return {matrix.view().data, matrix.stride, transposed};
}

/** Within the rounding error of a sum of products of values below 1. */
template <class T>
void expect_product(const Matrix<T>& c, const Matrix<T>& before, const Matrix<T>& a, const Matrix<T>& b, Into into) {
  const double tolerance = std::numeric_limits<T>::epsilon() / 2 * (a.columns + 10);
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      const double expected = reference(a, b, i, j) + (into == Into::add ? static_cast<double>(before.at(i, j)) : 0.0);
      ASSERT_NEAR(c.at(i, j), expected, tolerance) << i << ", " << j;
    }
    if (i + 1 == c.rows) break;
    for (int gap = 0; gap < 3; ++gap) ASSERT_TRUE(std::isnan(c.view()[i][c.columns + gap])) << "beyond the row";
  }
}

template <class T>
void expect_all_layouts(Gemm<T>& gemm, const Shape& s, bool bf16) {
  const Matrix<T> a(s.m, s.k, 1), b(s.k, s.n, 2), before(s.m, s.n, 3);
  const Matrix<T> a_transposed = a.transposed(), b_transposed = b.transposed();
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      for (const Into into : {Into::assign, Into::add}) {
        SCOPED_TRACE(testing::Message() << gemm.path() << " " << s << " " << ta << tb << (into == Into::add));
        Matrix<T> c = before;
        if (into == Into::assign)
          for (int i = 0; i < s.m; ++i) std::fill(c.view()[i], c.view()[i] + s.n, static_cast<T>(nan));
        gemm.run(c.view(), factor(ta ? a_transposed : a, ta), factor(tb ? b_transposed : b, tb), s.m, s.n, s.k, into);
        expect_product(c, before, bf16 ? a.rounded_to_bf16() : a, bf16 ? b.rounded_to_bf16() : b, into);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Gemm, MultipliesAllLayoutsOnAllInstructionSets) {
  ThreadPool pool(2);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, false);
    for (const Shape& s : shapes) expect_all_layouts(gemm, s, false);
  }
}

/**
 * Factors beyond the limits of packed bytes are packed part by part, also when one of them is packed again for each part
 * of the other one. Compares every 97th element, since a reference of all would take minutes.
 */
TEST(Gemm, MultipliesFactorsThatArePackedInParts) {
  ThreadPool pool(2);
  for (const bool bf16 : {false, true}) {
    Gemm<float> gemm(memory, pool, detect_instruction_set(), bf16);
    for (const Shape& s : {Shape{600, 2200, 2100}, Shape{40, 2200, 2100}, Shape{1100, 40, 2100}}) {
      const Matrix<float> a(s.k, s.m, 1), b(s.k, s.n, 2), before(s.m, s.n, 3);
      const Matrix<float> whole_a = a.transposed();
      const Matrix<float> used_a = bf16 ? whole_a.rounded_to_bf16() : whole_a, used_b = bf16 ? b.rounded_to_bf16() : b;
      Matrix<float> c = before;
      gemm.run(c.view(), factor(a, true), factor(b, false), s.m, s.n, s.k, Into::add);
      const double tolerance = std::numeric_limits<float>::epsilon() / 2 * (s.k + 10);
      for (int at = 0; at < s.m * s.n; at += 97) {
        const int i = at / s.n, j = at % s.n;
        const double expected = reference(used_a, used_b, i, j) + before.at(i, j);
        ASSERT_NEAR(c.at(i, j), expected, tolerance) << gemm.path() << " " << s << " at " << i << ", " << j;
      }
    }
  }
}

TEST(Gemm, MultipliesDoubles) {
  ThreadPool pool(2);
  Gemm<double> gemm(memory, pool, detect_instruction_set(), false);
  for (const Shape& s : shapes) expect_all_layouts(gemm, s, false);
}

TEST(Gemm, RoundsToBfloat16AndSumsInFloat) {
  ThreadPool pool(2);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, true);
    for (const Shape& s : shapes) expect_all_layouts(gemm, s, true);
  }
}

TEST(Gemm, EmptyProductsAreAllowed) {
  ThreadPool pool(2);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, false);
    const Matrix<float> a(4, 4, 1), before(4, 4, 2);
    for (const Shape& s : {Shape{0, 4, 4}, Shape{4, 0, 4}, Shape{4, 4, 0}}) {
      Matrix<float> c = before;
      gemm.run(c.view(), factor(a, false), factor(a, true), s.m, s.n, s.k, Into::add);
      EXPECT_EQ(c.bytes(), before.bytes());
    }
    Matrix<float> c = before;
    gemm.run(c.view(), factor(a, false), factor(a, true), 4, 4, 0, Into::assign);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) EXPECT_EQ(c.at(i, j), 0.0f);
  }
}

/** Infinity and NaN stay in their row and column: the zeros that fill up panels meet them only in unused results. */
TEST(Gemm, KeepsInfinityAndNanInTheirRowsAndColumns) {
  ThreadPool pool(1);
  for (const InstructionSet isa : instruction_sets()) {
    for (const bool bf16 : {false, true}) {
      Gemm<float> gemm(memory, pool, isa, bf16);
      Matrix<float> a(7, 9, 1), b(9, 19, 2), c(7, 19, 3);
      a.at(6, 8) = INFINITY;
      b.at(8, 18) = nan;
      gemm.run(c.view(), factor(a, false), factor(b, false), 7, 19, 9, Into::assign);
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 19; ++j) {
          if (j == 18) {
            EXPECT_TRUE(std::isnan(c.at(i, j))) << gemm.path();
          } else {
            EXPECT_EQ(std::isfinite(c.at(i, j)), i != 6) << gemm.path();
          }
        }
    }
  }
}

/** Tests conversion by vectors and one by one, along k and across it. */
TEST(Gemm, RoundsTiesToEvenAndKeepsNan) {
  ThreadPool pool(1);
  constexpr int size = 37;
  Matrix<float> values(size, size, 1), ones(size, size, 2);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      // 1 plus an odd number of halves of bfloat16's last place: half of the ties round up, half down.
      values.at(i, j) = 1 + (2 * ((i * size + j) % 64) + 1) / 256.0f;
      ones.at(i, j) = i == j;
    }
  const Matrix<float> rounded = values.rounded_to_bf16();
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, true);
    for (const bool transposed : {false, true}) {
      const Matrix<float> given = transposed ? values.transposed() : values;
      Matrix<float> left(size, size, 3), right(size, size, 4);
      gemm.run(left.view(), factor(given, transposed), factor(ones, false), size, size, size, Into::assign);
      gemm.run(right.view(), factor(ones, false), factor(given, transposed), size, size, size, Into::assign);
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
          ASSERT_EQ(left.at(i, j), rounded.at(i, j)) << gemm.path() << transposed << " " << i << ", " << j;
          ASSERT_EQ(right.at(i, j), rounded.at(i, j)) << gemm.path() << transposed << " " << i << ", " << j;
        }
    }
    // A NaN with all bits set; rounding by addition would turn it into a zero.
    Matrix<float> with_nan = values, c(size, size, 5);
    const uint32_t all_ones = 0x7fffffff;
    std::memcpy(&with_nan.at(3, 5), &all_ones, sizeof all_ones);
    gemm.run(c.view(), factor(with_nan, false), factor(values, false), size, size, size, Into::assign);
    for (int i = 0; i < size; ++i) EXPECT_EQ(std::isnan(c.at(i, 0)), i == 3) << gemm.path();
    gemm.run(c.view(), factor(values, false), factor(with_nan, true), size, size, size, Into::assign);
    for (int j = 0; j < size; ++j) EXPECT_EQ(std::isnan(c.at(0, j)), j == 3) << gemm.path();
  }
}

// Equality bit for bit.

class GemmBits : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Types, GemmBits, testing::Bool(),
                         [](const auto& test) { return test.param ? "bf16" : "f32"; });

template <class T>
Matrix<T> product(Gemm<T>& gemm, const Matrix<T>& a, const Matrix<T>& b_transposed, int rows) {
  Matrix<T> c(rows, b_transposed.rows, 3);
  gemm.run(c.view(), factor(a, false), factor(b_transposed, true), rows, b_transposed.rows, a.columns, Into::add);
  return c;
}

/** The kernels' guaranteed order of a sum, computed by hand. */
TEST(Gemm, IsOneChainOfFusedMultiplyAdds) {
  ThreadPool pool(2);
  const Matrix<float> a(20, 1300, 1), b(40, 1300, 2), before(20, 40, 3);
  for (const InstructionSet isa : instruction_sets()) {
    if (isa < InstructionSet::avx2) continue;
    Gemm<float> gemm(memory, pool, isa, false);
    const Matrix<float> c = product(gemm, a, b, 20);
    for (int i = 0; i < 20; ++i)
      for (int j = 0; j < 40; ++j) {
        float sum = before.at(i, j);
        for (int p = 0; p < 1300; ++p) sum = std::fma(a.at(i, p), b.at(j, p), sum);
        ASSERT_EQ(c.at(i, j), sum) << gemm.path() << " " << i << ", " << j;
      }
  }
}

/** The order of AMX: even and odd places are summed apart, 32 values at a time. */
TEST(Gemm, TilesSumEvenAndOddPlacesApart) {
  if (detect_instruction_set() < InstructionSet::amx_bf16) GTEST_SKIP() << "no AMX here";
  ThreadPool pool(2);
  constexpr int k = 333;
  const Matrix<float> a = Matrix<float>(20, k, 1).rounded_to_bf16(), b = Matrix<float>(40, k, 2).rounded_to_bf16();
  const Matrix<float> before(20, 40, 3);
  Gemm<float> gemm(memory, pool, InstructionSet::amx_bf16, true);
  const Matrix<float> c = product(gemm, a, b, 20);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 40; ++j) {
      float sum = before.at(i, j);
      for (int first = 0; first < k; first += 32) {
        float part[2] = {0, 0};
        for (int p = first; p < std::min(first + 32, k); ++p)
          part[p % 2] = std::fma(a.at(i, p), b.at(j, p), part[p % 2]);
        sum += part[0] + part[1];
      }
      ASSERT_EQ(c.at(i, j), sum) << i << ", " << j;
    }
}

TEST_P(GemmBits, ARowDoesNotDependOnTheRowsBesideIt) {
  ThreadPool pool(1);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, GetParam());
    const Matrix<float> a(120, 777, 1), b(85, 777, 2);
    const std::string whole = product(gemm, a, b, 120).bytes();
    for (const int rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 17, 48, 97, 119}) {
      const Matrix<float> c = product(gemm, a, b, rows);
      const size_t used = ((rows - 1) * c.stride + c.columns + 1) * sizeof(float);
      EXPECT_EQ(c.bytes().substr(0, used), whole.substr(0, used)) << gemm.path() << " " << rows;
    }
  }
}

TEST_P(GemmBits, BitsDoNotDependOnThreads) {
  ThreadPool one(1), two(2), five(5);
  for (const InstructionSet isa : instruction_sets()) {
    const Matrix<float> a(150, 500, 1), b(300, 500, 2);
    Gemm<float> alone(memory, one, isa, GetParam());
    const std::string expected = product(alone, a, b, 150).bytes();
    for (ThreadPool* pool : {&two, &five}) {
      Gemm<float> gemm(memory, *pool, isa, GetParam());
      EXPECT_EQ(product(gemm, a, b, 150).bytes(), expected) << gemm.path();
    }
  }
}

/** Number of values of k that are multiplied at once. */
int depth_of(InstructionSet isa, bool bf16) { return !bf16 ? 1 : isa == InstructionSet::amx_bf16 ? 32 : 2; }

/** Sums over k in one call or in several, whose parts are whole steps. */
TEST_P(GemmBits, ASumOverSeveralCallsHasTheBitsOfOneCall) {
  ThreadPool pool(2);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, GetParam());
    constexpr int m = 33, n = 50, k = 9001;
    const Matrix<float> a(k, m, 1), b(k, n, 2);
    Matrix<float> whole(m, n, 3);
    gemm.run(whole.view(), factor(a, true), factor(b, false), m, n, k, Into::add);
    for (const int part : {2, 100, 1024, 5000}) {
      if (part % depth_of(isa, GetParam()) != 0) continue;
      Matrix<float> c(m, n, 3);
      for (int p = 0; p < k; p += part)
        gemm.run(c.view(), {a.view()[p], a.stride, true}, {b.view()[p], b.stride, false}, m, n, std::min(part, k - p),
                 Into::add);
      EXPECT_EQ(c.bytes(), whole.bytes()) << gemm.path() << " " << part;
    }
  }
}

TEST_P(GemmBits, BitsDoNotDependOnLayouts) {
  ThreadPool pool(1);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, GetParam());
    const Matrix<float> a(41, 203, 1), b(203, 77, 2);
    const Matrix<float> a_transposed = a.transposed(), b_transposed = b.transposed();
    Matrix<float> expected(41, 77, 3);
    gemm.run(expected.view(), factor(a, false), factor(b, false), 41, 77, 203, Into::assign);
    for (int layout = 1; layout < 4; ++layout) {
      Matrix<float> c(41, 77, 3);
      gemm.run(c.view(), factor(layout & 1 ? a_transposed : a, layout & 1),
               factor(layout & 2 ? b_transposed : b, layout & 2), 41, 77, 203, Into::assign);
      EXPECT_EQ(c.bytes(), expected.bytes()) << gemm.path() << " " << layout;
    }
  }
}

/**
 * From AVX2 on: without fused multiply-add, scalar code rounds twice. AMX has an order of its own. No value is small enough to
 * be flushed to 0.
 */
TEST_P(GemmBits, BitsDoNotDependOnInstructionSets) {
  ThreadPool pool(1);
  if (detect_instruction_set() < InstructionSet::avx512) GTEST_SKIP() << "one instruction set with fused multiply-add";
  const Matrix<float> a(50, 611, 1), b(99, 611, 2);
  Gemm<float> avx2(memory, pool, InstructionSet::avx2, GetParam());
  const std::string expected = product(avx2, a, b, 50).bytes();
  for (const InstructionSet isa : instruction_sets()) {
    if (isa < InstructionSet::avx512 || depth_of(isa, GetParam()) > 2) continue;
    Gemm<float> gemm(memory, pool, isa, GetParam());
    EXPECT_EQ(product(gemm, a, b, 50).bytes(), expected) << gemm.path();
  }
}

// Packed weights.

std::vector<uint8_t> packed(Gemm<float>& gemm, const Matrix<float>& w, Dtype dtype) {
  std::vector<uint8_t> bytes(gemm.packed_bytes(w.rows, w.columns, dtype));
  gemm.pack(bytes.data(), w.view().data, w.stride, w.rows, w.columns, dtype);
  return bytes;
}

TEST_P(GemmBits, PackedWeightsGiveTheSameBits) {
  const Dtype dtype = GetParam() ? Dtype::bf16 : Dtype::f32;
  ThreadPool pool(2);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, GetParam());
    for (const Shape& s : shapes) {
      const Matrix<float> a(s.m, s.k, 1), w(s.n, s.k, 2);
      const Matrix<float> expected = product(gemm, a, w, s.m);
      const auto panels = packed(gemm, w, dtype);
      Matrix<float> c(s.m, s.n, 3);
      gemm.run_packed(c.view(), a.view(), panels.data(), dtype, s.m, s.n, s.k, Into::add);
      EXPECT_EQ(c.bytes(), expected.bytes()) << gemm.path() << " " << s;
    }
  }
}

TEST_P(GemmBits, UnpacksRows) {
  const Dtype dtype = GetParam() ? Dtype::bf16 : Dtype::f32;
  ThreadPool pool(1);
  for (const InstructionSet isa : instruction_sets()) {
    Gemm<float> gemm(memory, pool, isa, false);
    const Matrix<float> w(70, 45, 1);
    const Matrix<float> expected = GetParam() ? w.rounded_to_bf16() : w;
    const auto panels = packed(gemm, w, dtype);
    for (int row = 0; row < 70; ++row) {
      std::vector<float> values(45);
      gemm.unpack_row(values.data(), panels.data(), dtype, 70, 45, row);
      EXPECT_TRUE(std::equal(values.begin(), values.end(), expected.view()[row])) << gemm.path() << " " << row;
    }
  }
}

TEST(Gemm, PacksOnlyFloatsAndBfloat16) {
  ThreadPool pool(1);
  Gemm<float> gemm(memory, pool, detect_instruction_set(), false);
  EXPECT_THROW(gemm.packed_bytes(4, 4, Dtype::f16), Failure);
  EXPECT_GE(gemm.packed_bytes(100, 30, Dtype::f32), 100u * 30 * 4);
  EXPECT_EQ(gemm.packed_bytes(128, 64, Dtype::bf16), 128u * 64 * 2);
}

TEST(Gemm, PacksDoubles) {
  ThreadPool pool(1);
  Gemm<double> gemm(memory, pool, detect_instruction_set(), false);
  const Matrix<double> a(5, 33, 1), w(21, 33, 2);
  const Matrix<double> expected = product(gemm, a, w, 5);
  std::vector<uint8_t> panels(gemm.packed_bytes(21, 33, Dtype::f64));
  gemm.pack(panels.data(), w.view().data, w.stride, 21, 33, Dtype::f64);
  Matrix<double> c(5, 21, 3);
  gemm.run_packed(c.view(), a.view(), panels.data(), Dtype::f64, 5, 21, 33, Into::add);
  EXPECT_EQ(c.bytes(), expected.bytes());
}

/** Sizes beyond the packing blocks, in each direction. */
TEST(Gemm, SizesBeyondTheBlocksAreRight) {
  ThreadPool pool(2);
  Gemm<float> gemm(memory, pool, detect_instruction_set(), false);
  constexpr int k = 4500;
  for (const Shape& s : {Shape{3, 700, k}, Shape{700, 3, k}}) {
    const Matrix<float> a(s.k, s.m, 1), b(s.k, s.n, 2), before(s.m, s.n, 3);
    Matrix<float> c = before;
    gemm.run(c.view(), factor(a, true), factor(b, false), s.m, s.n, s.k, Into::add);
    expect_product(c, before, a.transposed(), b, Into::add);
  }
}

}  // namespace
}  // namespace palestra
