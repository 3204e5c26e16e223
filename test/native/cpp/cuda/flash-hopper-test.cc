// Attention by wgmma, emulated, against sums in double, and the host's part of its trial.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "attention-problem.h"
#include "core/failure.h"
#include "emulator/emulated-launcher.h"
#include "host-stream.h"
#include "ops/cuda/attention/flash-attention.h"
#include "ops/cuda/kernels/attention/flash-hopper.h"

namespace palestra::cuda {
namespace {

using namespace palestra::test::packed_attention;

/** ||a - b|| / ||b|| of the columns from `begin` to `end` of rows `stride` apart */
template <class T>
double relative_error(const Buffer<T>& a, const std::vector<double>& b, int64_t stride, int64_t begin, int64_t end) {
  double difference = 0, size = 0;
  for (size_t row = 0; row < b.size(); row += stride) {
    for (size_t i = row + begin; i < row + end; ++i) {
      difference += std::pow(widened(a.data()[i]) - b[i], 2);
      size += b[i] * b[i];
    }
  }
  return std::sqrt(difference / size);
}

template <class T>
Buffer<T> buffer_of(Memory& memory, const std::vector<T>& values) {
  Buffer<T> buffer(memory, values.size(), "a test");
  std::copy(values.begin(), values.end(), buffer.data());
  return buffer;
}

void expect_right(const Heads& heads, const std::vector<int>& lengths, bool reversed) {
  SCOPED_TRACE(::testing::Message() << heads.query << " / " << heads.kv << " heads of " << heads.size);
  const Problem<bf16> problem(heads, lengths, 8);
  const Reference expected = reference(problem);
  EmulatedLauncher launcher(reversed);
  HostMemory memory(size_t{1} << 30);
  FlashAttention attention(launcher, memory);
  attention.use_wgmma(heads.size, {true, true, true}, nullptr);
  const Buffer<bf16> qkv = buffer_of(memory, problem.qkv), dout = buffer_of(memory, problem.dout);
  const Buffer<bf16> out = buffer_of(memory, std::vector<bf16>(problem.dout.size(), to_bf16(NAN)));
  const Buffer<bf16> dqkv = buffer_of(memory, std::vector<bf16>(problem.qkv.size(), to_bf16(NAN)));
  const Buffer<float> log_sum =
      buffer_of(memory, std::vector<float>(size_t{1} * problem.rows() * heads.query, NAN));
  const int64_t stride = problem.stride, key = heads.key_column(), value = heads.value_column();
  attention.forward<bf16>(out.data(), log_sum.data(), {qkv.data(), stride}, heads, problem.segments());
  attention.gradient<bf16>({dqkv.data(), stride}, dout.data(), out.data(), log_sum.data(), {qkv.data(), stride}, heads,
                           problem.segments());
  EXPECT_LT(relative_error(out, expected.out, problem.out_width(), 0, key), 5e-3);
  EXPECT_LT(relative_error(log_sum, expected.log_sum, heads.query, 0, heads.query), 1e-5);
  EXPECT_LT(relative_error(dqkv, expected.dqkv, stride, 0, key), 5e-3) << "dq";
  EXPECT_LT(relative_error(dqkv, expected.dqkv, stride, key, value), 5e-3) << "dk";
  EXPECT_LT(relative_error(dqkv, expected.dqkv, stride, value, heads.width()), 5e-3) << "dv";
  for (int row = 0; row < problem.rows(); ++row) {
    for (int64_t i = heads.width(); i < stride; ++i) {
      ASSERT_TRUE(std::isnan(widened(dqkv.data()[row * stride + i]))) << "written past the row's end";
    }
  }
}

class FlashHopper : public ::testing::TestWithParam<bool> {};

TEST_P(FlashHopper, IsRightForRaggedSegments) {
  for (const int size : {64, 128}) {
    expect_right({1, 1, size}, {128, 1}, GetParam());
    expect_right({3, 1, size}, {1, 63, 2, 65, 193}, GetParam());
  }
}

TEST_P(FlashHopper, IsRightWhenABlockHasAllQueryHeadsOfItsKeys) {
  for (const int size : {64, 128}) expect_right({16, 8, size}, {131, 5}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Orders, FlashHopper, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

enum class Fault { none, never_ends, writes_nothing, driver };

/** Writes ones as results of any kernel. One of those by wgmma has a fault. */
class FaultyLauncher final : public Launcher {
 public:
  explicit FaultyLauncher(Fault fault) : fault_(fault) {}
  int multiprocessors() const override { return 4; }

  int hopper_launches = 0;

 private:
  void launch_kernel(const char* kernel, Grid, int, size_t shared_bytes, const void* arguments) override {
    const std::string name = kernel;
    const bool is_hopper = name.find("_hopper_") != std::string::npos;
    hopper_launches += is_hopper;
    EXPECT_LE(shared_bytes, 227u << 10);
    if (name == "flash_hopper_query_gradient_128_bf16") {
      if (fault_ == Fault::driver) throw Failure(Code::device, "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS");
      if (fault_ == Fault::writes_nothing) return;
      if (fault_ == Fault::never_ends) {
        *static_cast<const FlashHopperGradient*>(arguments)->trouble = 1;
        return;
      }
    }
    if (name.find("forward") != std::string::npos) {
      const auto& a = *static_cast<const AttentionForward<bf16>*>(arguments);
      std::fill_n(a.out, int64_t{a.in.rows} * a.in.query_heads * a.in.size, to_bf16(1));
      std::fill_n(a.log_sum, int64_t{a.in.rows} * a.in.query_heads, 1.0f);
    } else if (name.find("_gradient") != std::string::npos) {
      const auto& a = *static_cast<const AttentionGradient<bf16>*>(arguments);
      const int key = a.in.query_heads * a.in.size, end = key + 2 * a.in.kv_heads * a.in.size;
      const bool is_query = name.find("query_gradient") != std::string::npos;
      for (int row = 0; row < a.in.rows; ++row) {
        bf16* const columns = a.dqkv + int64_t{row} * a.dqkv_stride;
        std::fill(columns + (is_query ? 0 : key), columns + (is_query ? key : end), to_bf16(1));
      }
    }
  }

  const Fault fault_;
};

/** Returns what the engine says of its attention. */
std::string path_after_trial(Fault fault, int* hopper_launches = nullptr) {
  FaultyLauncher launcher(fault);
  test::HostStream stream;
  FlashAttention attention(launcher, stream.memory());
  attention.use_wgmma(stream);
  if (hopper_launches) *hopper_launches = launcher.hopper_launches;
  return attention.path();
}

TEST(FlashHopperTrial, FindsRightKernelsRight) {
  EXPECT_EQ(path_after_trial(Fault::none), "attention by wgmma");
}

TEST(FlashHopperTrial, RejectsAWrongKernelOnly) {
  EXPECT_NE(path_after_trial(Fault::writes_nothing).find("in part: flash_hopper_query_gradient_128 is off by"),
            std::string::npos);
  EXPECT_EQ(path_after_trial(Fault::never_ends),
            "attention by wgmma in part: flash_hopper_query_gradient_128 waited for ever");
}

TEST(FlashHopperTrial, SaysHowToTurnItOffAfterAFault) {
  try {
    path_after_trial(Fault::driver);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), Code::device);
    EXPECT_NE(std::string(failure.what()).find("ENGINE_WGMMA=0"), std::string::npos);
  }
  setenv("ENGINE_WGMMA", "0", 1);
  int launches = -1;
  EXPECT_EQ(path_after_trial(Fault::none, &launches), "");
  unsetenv("ENGINE_WGMMA");
  EXPECT_EQ(launches, 0);
}

}  // namespace
}  // namespace palestra::cuda
