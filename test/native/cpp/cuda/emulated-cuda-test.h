#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/failure.h"
#include "core/memory.h"
#include "emulator/probe-kernels.h"
#include "ops/cuda/driver/cuda-device.h"
#include "ops/cuda/stream/cuda-stream.h"

namespace palestra::cuda {

/**
 * A test on the emulated driver, with a folder of kernels of its own. At its end, no object of the driver may be left.
 */
class EmulatedCuda : public testing::Test {
 public:
  /** Number of calls of a function or kinds of work, as in test/native/emulator/emulated-cuda.h. */
  int calls(const char* name) { return function<int(const char*)>("emulated_cuda_calls")(name); }

 protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    library_ = dlopen(EMULATED_CUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    folder_ = std::filesystem::temp_directory_path() / ("palestra-cuda-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("probe.fatbin", "emulated");
    setenv("ENGINE_LIBCUDA", EMULATED_CUDA, 1);
    setenv("ENGINE_KERNELS", folder_.c_str(), 1);
    reset();
  }

  void TearDown() override {
    EXPECT_EQ(live(), 0);
    for (const std::string& name : set_) unsetenv(name.c_str());
    for (const char* name : {"ENGINE_LIBCUDA", "ENGINE_KERNELS"}) unsetenv(name);
    reset();
    std::filesystem::remove_all(folder_);
    dlclose(library_);
  }

  /** Sets EMULATED_CUDA_`name` and resets the driver. */
  void set(const std::string& name, const std::string& value) {
    set_.push_back("EMULATED_CUDA_" + name);
    setenv(set_.back().c_str(), value.c_str(), 1);
    reset();
  }
  void write(const std::string& file, const std::string& text) { std::ofstream(folder_ / file) << text; }

  void reset() { function<void()>("emulated_cuda_reset")(); }
  int live() { return function<int()>("emulated_cuda_live")(); }

  std::filesystem::path folder_;

 private:
  template <class Function>
  Function* function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  std::vector<std::string> set_;
};

/** Why no device can be used; empty when one can. */
inline std::string no_cuda() {
  std::string why_not;
  CudaDevice::find(&why_not);
  return why_not;
}

/** Returns the message of the failure that `work` ends with, after its code. */
inline std::string failure_of(Code code, const std::function<void()>& work) {
  try {
    work();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code) << failure.what();
    return failure.what();
  }
  return "nothing failed";
}

/** A device with a stream, and numbers in its memory. */
struct Rig {
  explicit Rig(size_t numbers = 4 * probe::threads) : Rig(numbers, Priority::high) {}
  Rig(size_t numbers, Priority priority)
      : device(0, size_t{256} << 20), stream(device, priority), from(device.memory(), numbers, "numbers"),
        to(device.memory(), numbers, "numbers") {}

  void add(CudaStream& which, float* out, const float* in, float addend) {
    const auto blocks = static_cast<unsigned>(from.size() / probe::threads);
    which.launch("probe_add", {blocks}, probe::threads, 0, probe::Add{out, in, addend});
  }
  void upload(const std::vector<float>& values) { stream.upload(from.data(), values.data(), values.size() * 4); }
  std::vector<float> download(const Buffer<float>& buffer) {
    std::vector<float> values(buffer.size());
    stream.download(values.data(), buffer.data(), buffer.bytes());
    return values;
  }

  CudaDevice device;
  CudaStream stream;
  Buffer<float> from;
  Buffer<float> to;
};

}  // namespace palestra::cuda
