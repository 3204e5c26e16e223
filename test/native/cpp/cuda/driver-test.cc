// The loader, and each reason for having no CUDA.
#include "ops/cuda/driver/driver.h"

#include "emulated-cuda-test.h"

namespace palestra::cuda {
namespace {

class DriverTest : public EmulatedCuda {
 protected:
  /** Prints the reason in a process of its own, which has no driver yet. */
  static void say_why_not() {
    std::fprintf(stderr, "[%s]\n", no_cuda().c_str());
    std::exit(0);
  }
};

TEST_F(DriverTest, UsesTheFirstLibraryThatLoads) {
  const Driver driver({"/nowhere/libcuda.so.1", EMULATED_CUDA});
  EXPECT_EQ(driver.version(), 13000);
}

TEST_F(DriverTest, SaysWhereItSearchedForALibrary) {
  const std::string reason = failure_of(Code::device, [] { Driver({"/nowhere/a.so", "/nowhere/b.so"}); });
  EXPECT_EQ(reason.rfind("expected NVIDIA's driver, but received none: /nowhere/a.so: cannot open", 0), 0u) << reason;
  EXPECT_NE(reason.find("; /nowhere/b.so: cannot open"), std::string::npos) << reason;
}

TEST_F(DriverTest, SaysWhichFunctionALibraryLacks) {
  EXPECT_EQ(failure_of(Code::device, [] { Driver({"libm.so.6"}); }),
            "expected NVIDIA's driver for CUDA 12 or newer, but received libm.so.6 without cuInit");
}

TEST_F(DriverTest, ReportsTheErrorOfTheLibrary) {
  set("DEVICES", "0");
  EXPECT_EQ(failure_of(Code::device, [] { Driver({EMULATED_CUDA}); }),
            "expected cuInit to succeed, but received CUDA_ERROR_NO_DEVICE (emulated)");
}

TEST_F(DriverTest, DistinguishesLackOfMemoryFromOtherFailures) {
  const Driver driver({EMULATED_CUDA});
  EXPECT_EQ(failure_of(Code::out_of_memory, [&] { driver.check(CUDA_ERROR_OUT_OF_MEMORY, "cuEventCreate"); }),
            "expected cuEventCreate to succeed, but received CUDA_ERROR_OUT_OF_MEMORY (emulated)");
  EXPECT_EQ(failure_of(Code::device, [&] { driver.check(static_cast<CUresult>(12345), "cuEventCreate"); }),
            "expected cuEventCreate to succeed, but received CUDA error 12345");
  driver.check(CUDA_SUCCESS, "cuEventCreate");
}

TEST_F(DriverTest, IsFoundWithAUsableDevice) { EXPECT_EQ(no_cuda(), ""); }

TEST_F(DriverTest, IsNotFoundWithoutALibrary) {
  setenv("ENGINE_LIBCUDA", "/nowhere/libcuda.so", 1);
  EXPECT_EXIT(say_why_not(), testing::ExitedWithCode(0),
              "\\[expected NVIDIA's driver, but received none: /nowhere/libcuda.so");
}

TEST_F(DriverTest, IsNotFoundWhenItFailsToStart) {
  set("FAULTS", "cuInit:1=999");
  EXPECT_EXIT(say_why_not(), testing::ExitedWithCode(0), "\\[expected cuInit to succeed, .* CUDA_ERROR_UNKNOWN");
}

TEST_F(DriverTest, IsNotFoundWithoutADevice) {
  no_cuda();
  set("DEVICES", "0");
  EXPECT_EQ(no_cuda(), "expected a CUDA device, but received none");
}

TEST_F(DriverTest, IsNotFoundOnADeviceWithoutTheInstructions) {
  set("CAPABILITY", "7.5");
  const std::string reason =
      "expected a CUDA device of compute capability 8.0 or higher, but received Emulated device 0 of 7.5";
  EXPECT_EQ(no_cuda(), reason);
  EXPECT_EQ(failure_of(Code::device, [] { CudaDevice(0, 0); }), reason);
}

TEST_F(DriverTest, IsNotFoundWithoutKernels) {
  std::filesystem::remove(folder_ / "probe.fatbin");
  const std::string reason = "expected kernels (*.fatbin) in " + folder_.string() +
                             ", but received none: they are built where nvcc is found";
  EXPECT_EQ(no_cuda(), reason);
  EXPECT_EQ(failure_of(Code::device, [] { CudaDevice(0, 0); }), reason);
  setenv("ENGINE_KERNELS", "/nowhere/kernels", 1);
  EXPECT_NE(no_cuda().find("in /nowhere/kernels, but received none"), std::string::npos);
}

TEST_F(DriverTest, FindsTheFirstUsableDevice) {
  set("DEVICES", "3");
  set("CAPABILITY", "7.5,8.6");
  std::string why_not = "of before";
  EXPECT_EQ(CudaDevice::find(&why_not), 1);
  EXPECT_EQ(why_not, "");
  set("CAPABILITY", "7.5");
  EXPECT_EQ(CudaDevice::find(&why_not), -1);
  EXPECT_NE(why_not.find("Emulated device 0 of 7.5"), std::string::npos) << why_not;
}

TEST_F(DriverTest, IsNotFoundWhenTheKernelsAreNewer) {
  write("cuda-version", "13.5\n");
  no_cuda();
  const auto with_version = [&](const char* version) {
    // Read once, when the driver is loaded; hence a process without a driver.
    setenv("EMULATED_CUDA_VERSION", version, 1);
  };
  with_version("12080");
  EXPECT_EXIT(say_why_not(), testing::ExitedWithCode(0),
              "\\[expected a driver for CUDA 13, as the kernels are, but received one for CUDA 12.8\\]");
  with_version("13000");
  EXPECT_EXIT(say_why_not(), testing::ExitedWithCode(0), "\\[\\]");
  unsetenv("EMULATED_CUDA_VERSION");
}

TEST_F(DriverTest, SearchesKernelsBesideTheProgram) {
  unsetenv("ENGINE_KERNELS");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string reason = no_cuda();
  if (reason.empty()) {
    EXPECT_TRUE(std::filesystem::exists(program + "/kernels"));
  } else {
    EXPECT_NE(reason.find("in " + program + "/kernels, but received none"), std::string::npos) << reason;
  }
}

}  // namespace
}  // namespace palestra::cuda
