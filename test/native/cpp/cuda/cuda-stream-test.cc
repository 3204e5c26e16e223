// A stream's guarantees: order, copies that outlive their sources, waits.
#include "ops/cuda/stream/cuda-stream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "emulated-cuda-test.h"
#include "ops/cuda/stream/host-copies.h"

namespace palestra::cuda {
namespace {

using CudaStreamTest = EmulatedCuda;

std::vector<float> count_up(size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

std::vector<float> plus(std::vector<float> values, float addend) {
  for (float& value : values) value += addend;
  return values;
}

TEST_F(CudaStreamTest, RunsWorkInOrder) {
  Rig rig;
  const std::vector<float> values = count_up(rig.from.size());
  rig.upload(values);
  rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
  rig.add(rig.stream, rig.to.data(), rig.to.data(), 10);
  rig.stream.copy(rig.from.data(), rig.to.data(), rig.to.bytes());
  rig.stream.zero(rig.to.data(), 8);
  EXPECT_EQ(rig.download(rig.from), plus(values, 11));
  EXPECT_EQ(rig.download(rig.to)[1], 0);
  EXPECT_EQ(rig.download(rig.to)[2], 13);
}

TEST_F(CudaStreamTest, RunsKernelsInBothOrders) {
  set("REVERSED", "1");
  Rig rig;
  rig.upload(count_up(rig.from.size()));
  rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
  EXPECT_EQ(rig.download(rig.to), plus(count_up(rig.from.size()), 1));
}

TEST_F(CudaStreamTest, ReturnsBeforeItIsDone) {
  Rig rig;
  rig.upload(count_up(rig.from.size()));
  rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
  EXPECT_FALSE(rig.stream.is_done());
  int asked = 1;
  for (; !rig.stream.is_done(); ++asked) ASSERT_LT(asked, 10);
  EXPECT_EQ(calls("kernel"), 1);
  EXPECT_TRUE(rig.stream.is_done());
}

TEST_F(CudaStreamTest, CopiesUploadsBeforeItReturns) {
  Rig rig;
  std::vector<float> values = count_up(rig.from.size());
  rig.upload(values);
  std::fill(values.begin(), values.end(), -1.0f);
  EXPECT_EQ(rig.download(rig.from), count_up(rig.from.size()));
}

TEST_F(CudaStreamTest, UploadsMoreThanItsPinnedMemoryHolds) {
  // Three times around the ring, and not a multiple of a segment.
  const size_t numbers = 3 * HostCopies::segments * HostCopies::segment_bytes / sizeof(float) + 12345;
  Rig rig(numbers);
  const std::vector<float> values = count_up(numbers);
  rig.upload(values);
  EXPECT_EQ(rig.download(rig.from), values);
}

TEST_F(CudaStreamTest, UploadsALittleManyTimes) {
  Rig rig(size_t{3} << 20);
  const std::vector<float> values = count_up(rig.from.size());
  for (size_t at = 0, n = 1; at < values.size(); at += n, n = n * 7 % 9973 + 1) {
    rig.stream.upload(rig.from.data() + at, values.data() + at, std::min(n, values.size() - at) * sizeof(float));
  }
  EXPECT_EQ(rig.download(rig.from), values);
}

TEST_F(CudaStreamTest, EmptyCopiesDoNothing) {
  Rig rig;
  rig.stream.upload(nullptr, nullptr, 0);
  rig.stream.download(nullptr, nullptr, 0);
  rig.stream.copy(nullptr, nullptr, 0);
  rig.stream.zero(nullptr, 0);
  rig.stream.launch("probe_add", {0, 1, 1}, probe::threads, 0, probe::Add{});
  EXPECT_TRUE(rig.stream.is_done());
}

TEST_F(CudaStreamTest, DoesNotWaitForAnotherStreamUnlessTold) {
  for (const bool waits : {false, true}) {
    Rig rig;
    CudaStream second(rig.device, Priority::low);
    rig.upload(count_up(rig.from.size()));
    rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
    if (waits) second.wait_for(rig.stream);
    rig.add(rig.stream, rig.to.data(), rig.to.data(), 100);
    std::vector<float> seen(rig.to.size());
    second.download(seen.data(), rig.to.data(), rig.to.bytes());
    // Unwritten memory holds NaN.
    if (waits) {
      EXPECT_EQ(seen, plus(count_up(seen.size()), 1));
    } else {
      EXPECT_TRUE(std::isnan(seen[0]));
    }
  }
}

TEST_F(CudaStreamTest, WaitsOnlyForStreamsOfItsDevice) {
  set("DEVICES", "2");
  CudaDevice first(0, 0), second(1, 0);
  CudaStream here(first, Priority::high), there(second, Priority::high);
  EXPECT_EQ(failure_of(Code::internal, [&] { here.wait_for(there); }),
            "expected a stream of the same device to wait for, but received another");
}

TEST_F(CudaStreamTest, MovesBetweenThreads) {
  Rig rig;
  const std::vector<float> values = count_up(rig.from.size());
  std::thread([&] { rig.upload(values); }).join();
  std::thread([&] { rig.add(rig.stream, rig.to.data(), rig.from.data(), 1); }).join();
  EXPECT_EQ(rig.download(rig.to), plus(values, 1));
}

TEST_F(CudaStreamTest, RequestsMoreSharedMemoryOnce) {
  Rig rig(25600);
  const auto launch = [&](int count, size_t bytes) {
    rig.stream.launch("probe_shared", {}, probe::threads, bytes, probe::Shared{rig.to.data(), count});
  };
  launch(64, 256);
  EXPECT_EQ(calls("cuFuncSetAttribute"), 0);
  launch(20000, 80000);
  launch(25600, 102400);
  EXPECT_EQ(calls("cuFuncSetAttribute"), 1);
  EXPECT_EQ(rig.download(rig.to), count_up(25600));
  EXPECT_EQ(failure_of(Code::device, [&] { launch(64, (size_t{227} << 10) + 1); }),
            "expected cuLaunchKernelEx of probe_shared to succeed, but received CUDA_ERROR_INVALID_VALUE (emulated)");
}

TEST_F(CudaStreamTest, FindsKernelsByTheContentOfTheirNames) {
  Rig rig;
  char name[16] = "probe_add";
  rig.upload(count_up(rig.from.size()));
  rig.stream.launch(name, {4}, probe::threads, 0, probe::Add{rig.to.data(), rig.from.data(), 1});
  std::strcpy(name, "probe_shared");
  rig.stream.launch(name, {}, probe::threads, 256, probe::Shared{rig.from.data(), 64});
  EXPECT_EQ(rig.download(rig.from)[63], 63);
  EXPECT_EQ(failure_of(Code::internal, [&] { rig.stream.launch("no_kernel", {}, 64, 0, probe::Add{}); }),
            "expected a kernel that a module has, but received no_kernel");
}

/** Returns the number of overlapping launches, of two, whose results are right in any case. */
int overlaps(EmulatedCuda& test) {
  Rig rig;
  rig.upload(count_up(rig.from.size()));
  rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
  rig.add(rig.stream, rig.to.data(), rig.to.data(), 1);
  EXPECT_EQ(rig.download(rig.to), plus(count_up(rig.to.size()), 2));
  return test.calls("overlap");
}

TEST_F(CudaStreamTest, OverlapsLaunchesWhenKernelsWaitThemselves) {
  EXPECT_EQ(overlaps(*this), 2);
  set("CAPABILITY", "8.0");
  EXPECT_EQ(overlaps(*this), 0);
}

TEST_F(CudaStreamTest, OverlapsNothingWhenTheEnvironmentTurnsItOff) {
  setenv("ENGINE_PDL", "0", 1);
  EXPECT_EQ(overlaps(*this), 0);
  unsetenv("ENGINE_PDL");
}

TEST_F(CudaStreamTest, OverlapsLaunchesOfDriversThatRecordThem) {
  // Each in a process of its own, whose driver is not loaded yet.
  const auto with_driver = [&](const char* version) {
    set("VERSION", version);
    std::exit(overlaps(*this));
  };
  EXPECT_EXIT(with_driver("12020"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(with_driver("12030"), testing::ExitedWithCode(2), "");
}

TEST_F(CudaStreamTest, ReportsAFailedKernelLater) {
  set("FAULTS", "kernel:1=700");
  {
    Rig rig;
    rig.upload(count_up(rig.from.size()));
    rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
    EXPECT_EQ(failure_of(Code::device, [&] { rig.download(rig.to); }),
              "expected cuEventSynchronize to succeed, but received CUDA_ERROR_ILLEGAL_ADDRESS (emulated)");
    EXPECT_EQ(failure_of(Code::device, [&] { rig.add(rig.stream, rig.to.data(), rig.from.data(), 1); }),
              "expected cuLaunchKernelEx of probe_add to succeed, but received CUDA_ERROR_ILLEGAL_ADDRESS (emulated)");
    EXPECT_EQ(failure_of(Code::device, [&] { rig.stream.is_done(); }),
              "expected cuStreamQuery to succeed, but received CUDA_ERROR_ILLEGAL_ADDRESS (emulated)");
  }
  reset();
}

}  // namespace
}  // namespace palestra::cuda
