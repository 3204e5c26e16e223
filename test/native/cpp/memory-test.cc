#include "core/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/available-memory.h"
#include "core/failure.h"

namespace palestra {
namespace {

namespace fs = std::filesystem;

std::string message_of(Memory& memory, size_t bytes) {
  try {
    memory.take(bytes, "key-value pages");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), Code::out_of_memory);
    return failure.what();
  }
  return "";
}

TEST(Memory, FailsBeyondItsBudgetAndReportsTheFreeAmount) {
  HostMemory memory(1000);
  void* data = memory.take(600, "weights");
  EXPECT_EQ(memory.used(), 600u);
  EXPECT_EQ(message_of(memory, 401),
            "expected at most 400 bytes for key-value pages, which are free of a budget of 1000, but received a "
            "request for 401");
  EXPECT_EQ(memory.used(), 600u);
  memory.give_back(data, 600);
  EXPECT_EQ(memory.used(), 0u);
  memory.give_back(memory.take(1000, "weights"), 1000);
  EXPECT_EQ(memory.highest_use(), 1000u);
}

/** A device whose memory is used up by others. */
class FullDevice : public Memory {
 public:
  using Memory::Memory;

 protected:
  void* allocate(size_t) override { return nullptr; }
  void release(void*) noexcept override {}
};

TEST(Memory, FailsWhenTheDeviceHasNone) {
  FullDevice memory(1000);
  EXPECT_EQ(message_of(memory, 600),
            "expected 600 bytes for key-value pages but received none from the device, with 0 of a budget of 1000 in "
            "use");
  EXPECT_EQ(memory.used(), 0u);
  EXPECT_EQ(memory.highest_use(), 0u);
}

TEST(Memory, IsAligned) {
  HostMemory memory(size_t{64} << 20);
  for (const size_t bytes : {size_t{1}, size_t{4097}, (size_t{5} << 20) + 3}) {
    void* data = memory.take(bytes, "rows");
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % Memory::alignment, 0u);
    static_cast<char*>(data)[bytes - 1] = 1;
    memory.give_back(data, bytes);
  }
}

TEST(Memory, CountsAcrossThreads) {
  HostMemory memory(1 << 20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&memory] {
      for (int i = 1; i < 500; ++i) memory.give_back(memory.take(i, "rows"), i);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.used(), 0u);
  EXPECT_GE(memory.highest_use(), 499u);
  EXPECT_LE(memory.highest_use(), 4u * 499u);
}

TEST(Buffer, FreesItsMemoryOnceAfterMoves) {
  HostMemory memory(4096);
  {
    Buffer<float> first(memory, 16, "rows");
    Buffer<float> second = std::move(first);
    EXPECT_FALSE(first);
    first = std::move(second);
    EXPECT_EQ(first.bytes(), 64u);
    EXPECT_EQ(memory.used(), 64u);
    const Buffer<float> empty(memory, 0, "rows");
    EXPECT_EQ(empty.size(), 0u);
  }
  EXPECT_EQ(memory.used(), 0u);
}

TEST(Buffer, FailsWhenItsSizeOverflows) {
  HostMemory memory(4096);
  EXPECT_THROW(Buffer<double>(memory, SIZE_MAX / 8 + 2, "rows"), Failure);
}

/** A machine described by its system files. */
class Machine : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("palestra-machine-" + std::to_string(::getpid()));
    write("proc/meminfo", "MemTotal: 8000 kB\nMemAvailable:    4000 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  size_t available() const { return available_memory(root_.string()); }

  fs::path root_;
};

TEST_F(Machine, HasTheMemoryThatTheKernelReportsAsAvailable) { EXPECT_EQ(available(), 4000u * 1024); }

TEST_F(Machine, IsLimitedByItsControlGroup) {
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "3000000\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "1000000\n");
  EXPECT_EQ(available(), 2000000u);
  write("sys/fs/cgroup/jobs/one/memory.stat", "anon 600000\ninactive_file 400000\n");
  EXPECT_EQ(available(), 2400000u);
  write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  EXPECT_EQ(available(), 4000u * 1024);
}

TEST_F(Machine, IsLimitedByEveryEnclosingGroup) {
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "3000000\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "1000000\n");
  write("sys/fs/cgroup/jobs/memory.max", "4000000\n");
  write("sys/fs/cgroup/jobs/memory.current", "3500000\n");
  EXPECT_EQ(available(), 500000u);
  write("sys/fs/cgroup/jobs/memory.current", "4500000\n");
  EXPECT_EQ(available(), 0u);
}

TEST_F(Machine, KnowsControlGroupsOfVersion1) {
  write("proc/self/cgroup", "7:cpu:/x\n4:memory,hugetlb:/docker/one\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "500000\n");
  write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 100000\n");
  EXPECT_EQ(available(), 1600000u);
}

TEST(HostMemory, HasSomethingAvailable) { EXPECT_GT(HostMemory::available(), size_t{1} << 20); }

}  // namespace
}  // namespace palestra
