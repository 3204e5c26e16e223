// The emulator by itself: its collectives, copies and barriers, and the faults that it reveals.
#include <gtest/gtest.h>

#include <vector>

#include "emulator/emulated-launcher.h"
#include "ops/cuda/kernels/simt/simt.h"

namespace palestra::simt {
namespace {

constexpr int block_threads = 64;

struct Sums {
  const float* values;
  float* sums;  // (blocks, threads)
};

PALESTRA_KERNEL(emulator_block_sum, Sums, block_threads) {
  auto* scratch = reinterpret_cast<float*>(shared_memory());
  const unsigned i = blockIdx.x * block_threads + threadIdx.x;
  a.sums[i] = block_sum<block_threads>(a.values[i], scratch);
}

struct Exchange {
  uint64_t* numbers;  // (threads)
};

PALESTRA_KERNEL(emulator_exchange, Exchange, block_threads) {
  const uint64_t own = (uint64_t{threadIdx.x} << 40) + 7;
  a.numbers[threadIdx.x] = shuffle_xor(own, 1) + shuffle(own, 3);
}

struct Votes {
  int* results;  // (3, threads)
  int voter;
};

PALESTRA_KERNEL(emulator_vote, Votes, block_threads) {
  for (int turn = 0; turn < 3; ++turn) {
    const bool vote = turn != 1 && static_cast<int>(threadIdx.x) == a.voter;
    a.results[turn * block_threads + threadIdx.x] = __syncthreads_or(vote);
  }
}

PALESTRA_KERNEL(emulator_split_vote, Votes, block_threads) {
  if (threadIdx.x < warp_size) {
    __syncthreads();
  } else {
    __syncthreads_or(1);
  }
}

struct Product {
  const bf16* left;   // (16, 16)
  const bf16* right;  // (16, 8), or its transpose
  float* product;     // (16, 8)
  bool transposed;
};

PALESTRA_KERNEL(emulator_product, Product, warp_size) {
  auto* left = reinterpret_cast<bf16*>(shared_memory());
  auto* right = left + 256;
  const int lane = lane_index();
  copy_async(left + 8 * lane, a.left + 8 * lane);
  if (lane < 16) copy_async(right + 8 * lane, a.right + 8 * lane);
  commit_copies();
  wait_for_copies<0>();
  __syncthreads();
  uint32_t of_left[4], of_right[4];
  load_matrices(of_left, left + (lane % 16) * 16 + lane / 16 * 8);
  // Stored: row k has 8 columns. Transposed: row n has 16 of k.
  if (a.transposed) {
    load_matrices(of_right, right + (lane % 8) * 16 + lane / 8 % 2 * 8);
  } else {
    load_matrices_transposed(of_right, right + (lane % 16) * 8);
  }
  float d[4] = {1, 1, 1, 1};
  multiply_bf16(d, of_left, {of_right[0], of_right[1]});
  const int g = lane / 4, t = lane % 4;
  a.product[g * 8 + 2 * t] = d[0];
  a.product[g * 8 + 2 * t + 1] = d[1];
  a.product[(g + 8) * 8 + 2 * t] = d[2];
  a.product[(g + 8) * 8 + 2 * t + 1] = d[3];
}

struct Early {
  const bf16* from;
  float* seen;
};

PALESTRA_KERNEL(emulator_early_read, Early, warp_size) {
  if (lane_index() != 0) return;
  auto* shared = reinterpret_cast<bf16*>(shared_memory());
  copy_async(shared, a.from);
  commit_copies();
  a.seen[0] = to_float(shared[0]);
  wait_for_copies<0>();
  a.seen[1] = to_float(shared[0]);
}

PALESTRA_KERNEL(emulator_divergent, Early, block_threads) {
  if (threadIdx.x < warp_size) {
    __syncthreads();
  } else {
    __syncwarp();
    if (threadIdx.x % 2) __syncwarp();
  }
}

class Emulator : public ::testing::TestWithParam<bool> {
 protected:
  cuda::EmulatedLauncher launcher_{GetParam()};
};

TEST_P(Emulator, ReducesOverABlock) {
  std::vector<float> values(2 * block_threads), sums(values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  launcher_.launch("emulator_block_sum", {2}, block_threads, 64, Sums{values.data(), sums.data()});
  for (int i = 0; i < block_threads; ++i) {
    EXPECT_EQ(sums[i], 63 * 64 / 2);
    EXPECT_EQ(sums[block_threads + i], 63 * 64 / 2 + 64 * 64);
  }
}

TEST_P(Emulator, ShufflesEightBytes) {
  std::vector<uint64_t> numbers(block_threads);
  launcher_.launch("emulator_exchange", {}, block_threads, 0, Exchange{numbers.data()});
  for (uint64_t i = 0; i < block_threads; ++i) {
    EXPECT_EQ(numbers[i], ((i ^ 1) << 40) + ((i / 32 * 32 + 3) << 40) + 14);
  }
}

TEST_P(Emulator, ReportsWhetherAnyThreadVotes) {
  for (int voter : {0, 31, block_threads - 1}) {
    std::vector<int> results(3 * block_threads);
    launcher_.launch("emulator_vote", {}, block_threads, 0, Votes{results.data(), voter});
    for (int i = 0; i < 3 * block_threads; ++i) EXPECT_EQ(results[i] != 0, i / block_threads != 1) << i;
  }
  EXPECT_DEATH(launcher_.launch("emulator_split_vote", {}, block_threads, 0, Votes{nullptr, 0}), "different functions");
}

TEST_P(Emulator, MultipliesLikeTensorCores) {
  alignas(16) bf16 left[256], right[128], turned[128];
  float product[128], again[128];
  for (int i = 0; i < 256; ++i) left[i] = to_bf16(static_cast<float>(i % 17) - 8);
  for (int k = 0; k < 16; ++k) {
    for (int n = 0; n < 8; ++n) right[k * 8 + n] = turned[n * 16 + k] = to_bf16(static_cast<float>((3 * k + n) % 11) - 5);
  }
  launcher_.launch("emulator_product", {}, warp_size, 1024, Product{left, right, product, false});
  launcher_.launch("emulator_product", {}, warp_size, 1024, Product{left, turned, again, true});
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 8; ++n) {
      float sum = 1;
      for (int k = 0; k < 16; ++k) sum += to_float(left[m * 16 + k]) * to_float(right[k * 8 + n]);
      EXPECT_EQ(product[m * 8 + n], sum);
      EXPECT_EQ(again[m * 8 + n], sum);
    }
  }
}

TEST_P(Emulator, RevealsACopyWithoutAWait) {
  alignas(16) bf16 from[8] = {to_bf16(3)};
  float seen[2];
  launcher_.launch("emulator_early_read", {}, warp_size, 16, Early{from, seen});
  EXPECT_TRUE(std::isnan(seen[0]));
  EXPECT_EQ(seen[1], 3);
}

TEST_P(Emulator, EndsOnADeadlock) {
  float seen[2];
  EXPECT_DEATH(launcher_.launch("emulator_divergent", {}, block_threads, 16, Early{nullptr, seen}), "different barriers");
}

INSTANTIATE_TEST_SUITE_P(Orders, Emulator, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

}  // namespace
}  // namespace palestra::simt
