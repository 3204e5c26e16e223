// A device: its properties, its memory, and its loaded kernels.
#include "ops/cuda/driver/cuda-device.h"

#include <thread>

#include "emulated-cuda-test.h"

namespace palestra::cuda {
namespace {

using CudaDeviceTest = EmulatedCuda;

TEST_F(CudaDeviceTest, ReportsItsProperties) {
  set("DEVICES", "2");
  set("CAPABILITY", "8.6");
  const CudaDevice device(1, 0);
  const Properties& properties = device.properties();
  EXPECT_EQ(properties.name, "Emulated device 1");
  EXPECT_EQ(properties.major, 8);
  EXPECT_EQ(properties.minor, 6);
  EXPECT_EQ(properties.multiprocessors, 4);
  EXPECT_EQ(properties.shared_bytes, 227 << 10);
  EXPECT_EQ(properties.memory_bandwidth, 32e9);  // 1 GHz, two transfers per clock, 16 bytes
  EXPECT_EQ(properties.total_bytes, size_t{1} << 30);
}

TEST_F(CudaDeviceTest, RequiresAnExistingDevice) {
  EXPECT_EQ(failure_of(Code::device, [] { CudaDevice(1, 0); }), "expected a CUDA device below 1, but received 1");
  EXPECT_EQ(failure_of(Code::device, [] { CudaDevice(-1, 0); }), "expected a CUDA device below 1, but received -1");
}

TEST_F(CudaDeviceTest, BudgetDefaultsToNineTenthsOfTheFreeMemory) {
  set("MEMORY", "1000000");
  CudaDevice device(0, 0);
  EXPECT_EQ(device.memory().budget(), 900000u);
  const Buffer<char> taken(device.memory(), 500000, "weights");
  EXPECT_EQ(CudaDevice(0, 0).memory().budget(), 450000u);
}

TEST_F(CudaDeviceTest, FailsBeyondItsBudgetWithoutACallOfTheDriver) {
  CudaDevice device(0, 1000);
  EXPECT_EQ(failure_of(Code::out_of_memory, [&] { device.memory().take(1001, "weights"); }),
            "expected at most 1000 bytes for weights, which are free of a budget of 1000, but received a request for "
            "1001");
  EXPECT_EQ(calls("cuMemAlloc_v2"), 0);
}

TEST_F(CudaDeviceTest, ReportsTheRequestedAndTheFreeAmountWhenTheDeviceIsFull) {
  set("MEMORY", "1000000");
  CudaDevice device(0, 5000000), neighbour(0, 700000);
  const Buffer<char> own(device.memory(), 100000, "weights"), others(neighbour.memory(), 700000, "weights");
  EXPECT_EQ(failure_of(Code::out_of_memory, [&] { device.memory().take(200001, "key-value pages"); }),
            "expected 200001 bytes for key-value pages but received none from the device, with 100000 of a budget of "
            "5000000 in use, and 200000 free on the device");
  EXPECT_EQ(device.memory().used(), 100000u);
  device.memory().give_back(device.memory().take(200000, "key-value pages"), 200000);
}

TEST_F(CudaDeviceTest, DistinguishesAFailedDeviceFromAFullOne) {
  set("FAULTS", "cuMemAlloc_v2:1=700");
  {
    CudaDevice device(0, 1000);
    EXPECT_EQ(failure_of(Code::device, [&] { device.memory().take(10, "weights"); }),
              "expected cuMemAlloc to succeed, but received CUDA_ERROR_ILLEGAL_ADDRESS (emulated)");
    EXPECT_EQ(device.memory().used(), 0u);
  }
  reset();
}

TEST_F(CudaDeviceTest, FindsKernelsOnce) {
  CudaDevice device(0, 0);
  const CUfunction function = device.kernel("probe_add");
  EXPECT_EQ(device.kernel("probe_add"), function);
  EXPECT_TRUE(device.has_kernel("probe_add"));
  EXPECT_EQ(calls("cuModuleGetFunction"), 1);
  EXPECT_FALSE(device.has_kernel("probe_subtract"));
  EXPECT_EQ(failure_of(Code::internal, [&] { device.kernel("probe_subtract"); }),
            "expected a kernel that a module has, but received probe_subtract");
}

TEST_F(CudaDeviceTest, SkipsModulesOfAnotherArchitecture) {
  write("gemm-hopper.fatbin", "emulated 9.0");
  EXPECT_TRUE(CudaDevice(0, 0).has_kernel("probe_add"));
  EXPECT_EQ(calls("cuModuleUnload"), 2);
  set("CAPABILITY", "8.0");
  EXPECT_TRUE(CudaDevice(0, 0).has_kernel("probe_add"));
  EXPECT_EQ(calls("cuModuleUnload"), 1);
  std::filesystem::remove(folder_ / "probe.fatbin");
  EXPECT_EQ(failure_of(Code::device, [] { CudaDevice(0, 0); }),
            "expected kernels for this device in " + folder_.string() + ", but received none");
}

TEST_F(CudaDeviceTest, RefusesAMalformedModule) {
  write("zebra.fatbin", "truncated");
  EXPECT_EQ(failure_of(Code::device, [] { CudaDevice(0, 0); }),
            "expected cuModuleLoadData of " + (folder_ / "zebra.fatbin").string() +
                " to succeed, but received CUDA_ERROR_INVALID_IMAGE (emulated)");
}

TEST_F(CudaDeviceTest, ReleasesItsContextWithTheLastHolder) {
  auto device = std::make_unique<CudaDevice>(0, 0);
  {
    const auto context = device->context();
    device.reset();
    EXPECT_EQ(live(), 1);
  }
  EXPECT_EQ(live(), 0);
}

TEST_F(CudaDeviceTest, AllocatesOnAnyThread) {
  set("DEVICES", "2");
  CudaDevice first(0, 1000), second(1, 1000);
  std::thread([&] {
    Buffer<char> there(second.memory(), 1000, "rows"), here(first.memory(), 1000, "rows");
    Buffer<char> moved = std::move(there);
  }).join();
  EXPECT_EQ(first.memory().highest_use(), 1000u);
}

}  // namespace
}  // namespace palestra::cuda
