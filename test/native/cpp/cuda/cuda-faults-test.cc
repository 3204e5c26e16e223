// Every call of the driver fails once at each place. The failure is reported by name or handled, and nothing leaks.
#include "emulated-cuda-test.h"

namespace palestra::cuda {
namespace {

/** Uses every kind of driver call that the engine makes. Checks its own results. */
void use_all() {
  Rig rig;
  CudaStream second(rig.device, Priority::low);
  const std::vector<float> ones(rig.from.size(), 1.0f), many(300000, 7.0f);
  const Buffer<float> large(rig.device.memory(), many.size(), "numbers");
  std::unique_ptr<Recording> recording;
  for (int round = 0; round < 3; ++round) {
    rig.upload(ones);
    rig.stream.upload(large.data(), many.data(), large.bytes());
    rig.stream.zero(rig.to.data(), rig.to.bytes());
    rig.stream.replay(recording, [&] {
      rig.add(rig.stream, rig.to.data(), rig.from.data(), 1);
      rig.stream.copy(rig.from.data(), rig.to.data(), rig.to.bytes());
    });
    second.wait_for(rig.stream);
    rig.add(second, rig.to.data(), rig.from.data(), 1);
    std::vector<float> seen(rig.to.size());
    second.download(seen.data(), rig.to.data(), rig.to.bytes());
    EXPECT_EQ(seen, std::vector<float>(seen.size(), 3.0f));
    EXPECT_EQ(rig.download(large), many);
  }
  const int most = static_cast<int>(large.size() / 10);
  rig.stream.launch("probe_shared", {}, probe::threads, 4 * most, probe::Shared{large.data(), most});
  EXPECT_EQ(rig.download(large)[most - 1], most - 1);
  while (!rig.stream.is_done()) continue;
}

std::string without_version(const std::string& function) {
  return function.substr(0, function.find("_v2"));
}

class CudaFaults : public EmulatedCuda, public testing::WithParamInterface<const char*> {
 protected:
  /** Returns the number of calls of the function without faults. */
  int count_calls() {
    no_cuda();  // The driver is loaded once, by its first user.
    reset();
    use_all();
    return calls(GetParam());
  }
  /** @returns the failure's message; empty when there was none */
  std::string fail_at(int call, CUresult result) {
    set("FAULTS", GetParam() + (":" + std::to_string(call)) + "=" + std::to_string(result));
    try {
      use_all();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), Code::device);
      return failure.what();
    }
    return "";
  }
};

class FaultsThatAreTold : public CudaFaults {};
class FaultsOfARecording : public CudaFaults {};
class FaultsOfGivingBack : public CudaFaults {};
class FaultsOfALostDevice : public CudaFaults {};

TEST_P(FaultsThatAreTold, NameTheCallAndTheError) {
  const int times = count_calls();
  ASSERT_GT(times, 0) << "it is never called";
  for (int call = 1; call <= times; ++call) {
    const std::string words = fail_at(call, CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(words.rfind("expected " + without_version(GetParam()), 0), 0u) << "call " << call << ": " << words;
    EXPECT_NE(words.find("but received CUDA_ERROR_UNKNOWN"), std::string::npos) << "call " << call << ": " << words;
    EXPECT_EQ(live(), 0) << "call " << call;
  }
}

TEST_P(FaultsOfARecording, LeaveABodyThatRuns) {
  const int times = count_calls();
  ASSERT_GT(times, 0) << "it is never called";
  int made_up_for = 0;
  for (int call = 1; call <= times; ++call) {
    made_up_for += fail_at(call, CUDA_ERROR_UNKNOWN).empty();
    EXPECT_EQ(live(), 0) << "call " << call;
  }
  EXPECT_EQ(made_up_for, 1);
}

TEST_P(FaultsOfGivingBack, AreNotReported) {
  const int times = count_calls();
  ASSERT_GT(times, 0) << "it is never called";
  for (int call = 1; call <= times; ++call) EXPECT_EQ(fail_at(call, CUDA_ERROR_UNKNOWN), "") << "call " << call;
  reset();
}

TEST_P(FaultsOfALostDevice, EndInAFailureAtAnyTime) {
  const int times = count_calls();
  for (const int call : {1, times}) {
    EXPECT_NE(fail_at(call, CUDA_ERROR_ILLEGAL_ADDRESS).find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos);
  }
  reset();
}

const auto told = testing::Values(
    "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute", "cuDeviceTotalMem_v2",
    "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuCtxGetStreamPriorityRange", "cuModuleLoadData",
    "cuModuleGetFunction", "cuFuncGetAttribute", "cuFuncSetAttribute", "cuMemAlloc_v2", "cuMemHostAlloc",
    "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemsetD8Async", "cuStreamCreateWithPriority", "cuStreamQuery",
    "cuStreamWaitEvent", "cuEventCreate", "cuEventRecord", "cuEventSynchronize", "cuGraphLaunch");
const auto of_a_recording = testing::Values("cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuMemcpyDtoDAsync_v2",
                                            "cuGraphInstantiateWithFlags", "cuLaunchKernelEx");
const auto of_giving_back =
    testing::Values("cuModuleUnload", "cuMemFree_v2", "cuMemFreeHost", "cuStreamDestroy_v2", "cuEventDestroy_v2",
                    "cuGraphDestroy", "cuGraphExecDestroy", "cuStreamSynchronize", "cuDevicePrimaryCtxRelease_v2");
const auto name_of = [](const auto& function) { return std::string(function.param); };

INSTANTIATE_TEST_SUITE_P(Driver, FaultsThatAreTold, told, name_of);
INSTANTIATE_TEST_SUITE_P(Recording, FaultsOfARecording, of_a_recording, name_of);
INSTANTIATE_TEST_SUITE_P(GivingBack, FaultsOfGivingBack, of_giving_back, name_of);
INSTANTIATE_TEST_SUITE_P(Driver, FaultsOfALostDevice, told, name_of);
INSTANTIATE_TEST_SUITE_P(Recording, FaultsOfALostDevice, of_a_recording, name_of);

}  // namespace
}  // namespace palestra::cuda
