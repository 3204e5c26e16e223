// Attention over packed sequences and its gradient, emulated, against sums in double. Results have equal bits whatever
// else is in the pack, in any order of blocks and threads.
#include "ops/cuda/attention/flash-attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "attention-problem.h"
#include "core/failure.h"
#include "emulator/emulated-launcher.h"

namespace palestra::cuda {
namespace {

using namespace palestra::test::packed_attention;

template <class T>
struct Results {
  std::vector<T> out;
  std::vector<float> log_sum;
  std::vector<T> dqkv;  // rows in the layout of qkv
};

/** Here bf16 vectors may be at any even address; the kernels must get device-like alignment. */
template <class T>
struct Aligned {
  HostMemory memory{size_t{1} << 30};
  Buffer<T> buffer;
  explicit Aligned(const std::vector<T>& values) : buffer(memory, values.size(), "a test") {
    std::copy(values.begin(), values.end(), buffer.data());
  }
  std::vector<T> values() const { return {buffer.data(), buffer.data() + buffer.size()}; }
};

template <class T>
Results<T> run(const Problem<T>& problem, bool reversed = false) {
  EmulatedLauncher launcher(reversed);
  HostMemory memory(size_t{1} << 30);
  FlashAttention attention(launcher, memory);
  const Aligned<T> qkv(problem.qkv), dout(problem.dout);
  Aligned<T> out(std::vector<T>(problem.rows() * problem.out_width(), not_a_number<T>()));
  Aligned<T> dqkv(std::vector<T>(problem.qkv.size(), not_a_number<T>()));
  std::vector<float> log_sum(size_t{1} * problem.rows() * problem.heads.query, NAN);
  const Rows<const T> rows{qkv.buffer.data(), problem.stride};
  attention.forward<T>(out.buffer.data(), log_sum.data(), rows, problem.heads, problem.segments());
  attention.gradient<T>({dqkv.buffer.data(), problem.stride}, dout.buffer.data(), out.buffer.data(), log_sum.data(),
                        rows, problem.heads, problem.segments());
  return {out.values(), log_sum, dqkv.values()};
}

/** ||a - b|| / ||b|| of the columns from `begin` to `end` of rows `stride` apart */
template <class T>
double relative_error(const std::vector<T>& a, const std::vector<double>& b, int64_t stride, int64_t begin,
                      int64_t end) {
  double difference = 0, size = 0;
  for (size_t row = 0; row < b.size() / stride; ++row) {
    for (size_t i = row * stride + begin; i < row * stride + end; ++i) {
      difference += std::pow(widened(a[i]) - b[i], 2);
      size += b[i] * b[i];
    }
  }
  return std::sqrt(difference / size);
}

template <class T>
void expect_right(const Problem<T>& problem, double tolerance, bool reversed) {
  const Heads& heads = problem.heads;
  const Results<T> got = run(problem, reversed);
  const Reference expected = reference(problem);
  const int64_t stride = problem.stride;
  EXPECT_LT(relative_error(got.out, expected.out, problem.out_width(), 0, problem.out_width()), tolerance) << "out";
  EXPECT_LT(relative_error(got.log_sum, expected.log_sum, heads.query, 0, heads.query), 1e-5) << "log_sum";
  EXPECT_LT(relative_error(got.dqkv, expected.dqkv, stride, 0, heads.key_column()), tolerance) << "dq";
  EXPECT_LT(relative_error(got.dqkv, expected.dqkv, stride, heads.key_column(), heads.value_column()), tolerance)
      << "dk";
  EXPECT_LT(relative_error(got.dqkv, expected.dqkv, stride, heads.value_column(), heads.width()), tolerance) << "dv";
  for (int row = 0; row < problem.rows(); ++row) {
    for (int64_t i = heads.width(); i < stride; ++i) {
      ASSERT_TRUE(std::isnan(widened(got.dqkv[row * stride + i]))) << "written past the row's end";
    }
  }
}

template <class X>
std::vector<char> bytes_of(const std::vector<X>& values, size_t begin, size_t end) {
  const char* const data = reinterpret_cast<const char*>(values.data());
  return {data + begin * sizeof(X), data + end * sizeof(X)};
}
template <class X>
std::vector<char> bytes_of(const std::vector<X>& values) {
  return bytes_of(values, 0, values.size());
}

/** Lengths on both sides of tiles of 64 and 128 rows. */
const std::vector<int> ragged = {1, 63, 2, 65, 64, 130};

class FlashAttentionOrders : public ::testing::TestWithParam<bool> {};

TEST_P(FlashAttentionOrders, PlainKernelsAreRightForAnyHead) {
  for (const Heads& heads : {Heads{2, 1, 8}, Heads{3, 3, 40}, Heads{2, 1, 256}}) {
    SCOPED_TRACE(heads.size);
    expect_right(Problem<float>(heads, {1, 17, 2, 20}, 3), 1e-5, GetParam());
  }
  expect_right(Problem<bf16>({4, 2, 24}, {1, 17, 2, 20}), 1e-2, GetParam());
}

TEST_P(FlashAttentionOrders, FlashIsRightForGroupsOfAnySizeAndRaggedSegments) {
  for (const Heads& heads : {Heads{1, 1, 64}, Heads{4, 2, 64}, Heads{7, 1, 64}, Heads{2, 2, 128}, Heads{2, 1, 128}}) {
    SCOPED_TRACE(::testing::Message() << heads.query << " / " << heads.kv << " heads of " << heads.size);
    expect_right(Problem<bf16>(heads, ragged), 1e-2, GetParam());
  }
}

TEST_P(FlashAttentionOrders, FlashIsRightWhenABlockHasAllQueryHeadsOfItsKeys) {
  for (const Heads& heads : {Heads{16, 8, 64}, Heads{16, 8, 128}}) {
    ASSERT_EQ(flash_key_parts(heads.query, heads.kv), 1);
    expect_right(Problem<bf16>(heads, {67, 3}), 1e-2, GetParam());
  }
}

TEST_P(FlashAttentionOrders, RowsMayHaveAnyStride) {
  for (int pad : {8, 72, 1}) {
    expect_right(Problem<bf16>({2, 1, 64}, {30, 5}, pad), 1e-2, GetParam());
  }
}

TEST_P(FlashAttentionOrders, LargeScoresKeepTheirSoftmax) {
  // When a key has nearly all the weight, dP - D is a small difference, and D is computed from the rounded output.
  expect_right(Problem<bf16>({1, 1, 64}, {100, 1}, 0, 12), 2e-2, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Orders, FlashAttentionOrders, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

TEST(FlashAttention, BitsDoNotDependOnTheOrderOfBlocksAndThreads) {
  const Problem<bf16> problem({3, 1, 64}, {150, 20});
  const Results<bf16> forward = run(problem), reversed = run(problem, true);
  EXPECT_EQ(bytes_of(forward.out), bytes_of(reversed.out));
  EXPECT_EQ(bytes_of(forward.log_sum), bytes_of(reversed.log_sum));
  EXPECT_EQ(bytes_of(forward.dqkv), bytes_of(reversed.dqkv));
}

template <class T>
void expect_alone_as_together(const Problem<T>& problem) {
  SCOPED_TRACE(problem.heads.size);
  const Results<T> together = run(problem);
  for (size_t s = 0; s + 1 < problem.starts.size(); ++s) {
    const size_t begin = problem.starts[s], end = problem.starts[s + 1];
    const Results<T> alone = run(problem.alone(static_cast<int>(s)));
    const auto part = [&](const auto& values, int64_t width) { return bytes_of(values, begin * width, end * width); };
    EXPECT_EQ(part(together.out, problem.out_width()), bytes_of(alone.out)) << "out of segment " << s;
    EXPECT_EQ(part(together.log_sum, problem.heads.query), bytes_of(alone.log_sum)) << "log_sum of segment " << s;
    EXPECT_EQ(part(together.dqkv, problem.stride), bytes_of(alone.dqkv)) << "dqkv of segment " << s;
  }
}

TEST(FlashAttention, PackedSegmentsHaveTheBitsOfSeparateOnes) {
  expect_alone_as_together(Problem<bf16>({3, 1, 64}, ragged));
  expect_alone_as_together(Problem<bf16>({1, 1, 128}, ragged));
  expect_alone_as_together(Problem<bf16>({8, 8, 64}, {3, 70}));
  expect_alone_as_together(Problem<bf16>({2, 1, 40}, {1, 9, 4}));
  expect_alone_as_together(Problem<float>({2, 1, 64}, {1, 9, 4}));
}

TEST(FlashAttention, ARowHasTheSameBitsWhateverFollows) {
  for (const Heads& heads : {Heads{1, 1, 64}, Heads{1, 1, 128}}) {
    const Problem<bf16> longer(heads, {200});
    for (int rows : {1, 64, 100, 129}) {
      Problem<bf16> shorter(heads, {rows});
      std::copy_n(longer.qkv.begin(), shorter.qkv.size(), shorter.qkv.begin());
      const Results<bf16> a = run(longer), b = run(shorter);
      EXPECT_EQ(bytes_of(a.out, 0, b.out.size()), bytes_of(b.out)) << rows;
      EXPECT_EQ(bytes_of(a.log_sum, 0, b.log_sum.size()), bytes_of(b.log_sum)) << rows;
    }
  }
}

TEST(FlashAttention, EmptySegmentsAndANullLogSumChangeNothing) {
  const Problem<bf16> problem({2, 1, 64}, {40, 0, 0, 30, 0}), dense({2, 1, 64}, {40, 30});
  const Results<bf16> expected = run(dense), got = run(problem);
  EXPECT_EQ(bytes_of(got.out), bytes_of(expected.out));
  EXPECT_EQ(bytes_of(got.dqkv), bytes_of(expected.dqkv));

  EmulatedLauncher launcher;
  HostMemory memory(1 << 20);
  const Aligned<bf16> qkv(dense.qkv), out(expected.out);
  std::fill_n(out.buffer.data(), out.buffer.size(), not_a_number<bf16>());
  FlashAttention(launcher, memory)
      .forward<bf16>(out.buffer.data(), nullptr, {qkv.buffer.data(), dense.stride}, dense.heads, dense.segments());
  EXPECT_EQ(bytes_of(out.values()), bytes_of(expected.out));
}

TEST(FlashAttention, WorkspacesGrowToTheLargestPackAndAreFreed) {
  EmulatedLauncher launcher;
  HostMemory memory(1 << 20);
  {
    FlashAttention attention(launcher, memory);
    std::vector<size_t> used;
    for (int rows : {20, 40, 10}) {
      const Problem<bf16> problem({2, 1, 64}, {rows});
      const Aligned<bf16> qkv(problem.qkv), out(problem.dout), dqkv(problem.qkv);
      std::vector<float> log_sum(2 * rows, 3);
      attention.gradient<bf16>({dqkv.buffer.data(), problem.stride}, out.buffer.data(), out.buffer.data(),
                               log_sum.data(), {qkv.buffer.data(), problem.stride}, problem.heads, problem.segments());
      used.push_back(memory.used());
    }
    EXPECT_LT(used[0], used[1]);
    EXPECT_EQ(used[1], used[2]);
  }
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace palestra::cuda
