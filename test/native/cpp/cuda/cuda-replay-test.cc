// Recordings of a stream: their content, and bodies that cannot be recorded.
#include <atomic>
#include <thread>

#include "emulated-cuda-test.h"

namespace palestra::cuda {
namespace {

using CudaReplayTest = EmulatedCuda;

/** A rig whose body adds 1 to `from`, and writes 2 more to `to`. */
struct Replayed : Rig {
  void replay() {
    stream.replay(recording, [&] {
      ++runs;
      add(stream, to.data(), from.data(), 1);
      stream.copy(from.data(), to.data(), to.bytes());
      stream.zero(to.data(), to.bytes());
      add(stream, to.data(), from.data(), 2);
    });
  }
  float result() { return download(to).back(); }

  std::unique_ptr<Recording> recording;
  int runs = 0;
};

TEST_F(CudaReplayTest, RunsTheBodyOnlyTwice) {
  Replayed rig;
  const std::vector<float> zeros(rig.from.size());
  for (int call = 1; call <= 5; ++call) {
    rig.upload(zeros);
    rig.replay();
    EXPECT_EQ(rig.result(), 3);
    EXPECT_EQ(rig.runs, std::min(call, 2));
  }
  // Once directly, and once for the graph.
  EXPECT_EQ(calls("cuLaunchKernelEx"), 4);
  EXPECT_EQ(calls("cuGraphLaunch"), 4);
  EXPECT_EQ(calls("kernel"), 10);
  EXPECT_EQ(calls("cuGraphDestroy"), 1);
  EXPECT_EQ(rig.stream.failed_recordings(), 0);
}

TEST_F(CudaReplayTest, ReadsMemoryEachTime) {
  Replayed rig;
  for (int call = 0; call < 4; ++call) {
    rig.upload(std::vector<float>(rig.from.size(), 10.0f * call));
    rig.replay();
    EXPECT_EQ(rig.result(), 10 * call + 3);
  }
}

TEST_F(CudaReplayTest, RunsInTheOrderOfItsStream) {
  Replayed rig;
  const std::vector<float> zeros(rig.from.size());
  for (int call = 0; call < 3; ++call) {
    rig.upload(zeros);
    rig.replay();
    rig.add(rig.stream, rig.from.data(), rig.to.data(), 5);
    EXPECT_EQ(rig.download(rig.from).front(), 8);
  }
}

TEST_F(CudaReplayTest, MayLoseItsRecordingDuringAReplay) {
  Replayed rig;
  rig.upload(std::vector<float>(rig.from.size()));
  for (int call = 0; call < 3; ++call) rig.replay();
  rig.recording.reset();
  EXPECT_EQ(calls("kernel"), 0);
  EXPECT_EQ(rig.result(), 5);
}

TEST_F(CudaReplayTest, MayOutliveItsStreamAndDevice) {
  std::unique_ptr<Recording> kept;
  {
    Replayed rig;
    rig.upload(std::vector<float>(rig.from.size()));
    for (int call = 0; call < 2; ++call) rig.replay();
    EXPECT_EQ(rig.result(), 4);
    kept = std::move(rig.recording);
  }
  EXPECT_EQ(live(), 2);  // Drops the recording, which also holds the context.
  kept.reset();
}

TEST_F(CudaReplayTest, RefusesWorkThatDiffersEachTime) {
  Rig rig;
  CudaStream other(rig.device, Priority::low);
  rig.upload(std::vector<float>(rig.from.size(), 1.0f));
  const auto refusal_of = [&](const std::function<void()>& body) {
    std::unique_ptr<Recording> recording;
    const std::string first = failure_of(Code::internal, [&] { rig.stream.replay(recording, body); });
    EXPECT_EQ(recording, nullptr);
    // Also after it is recorded.
    rig.stream.replay(recording, [] {});
    EXPECT_EQ(failure_of(Code::internal, [&] { rig.stream.replay(recording, body); }), first);
    return first;
  };
  const std::string expected = "expected a body of work for the device alone, but received ";
  float number = 0;
  std::unique_ptr<Recording> inner;
  EXPECT_EQ(refusal_of([&] { rig.stream.upload(rig.to.data(), &number, 4); }), expected + "an upload");
  EXPECT_EQ(refusal_of([&] { rig.stream.download(&number, rig.to.data(), 4); }), expected + "a download");
  EXPECT_EQ(refusal_of([&] { rig.stream.is_done(); }), expected + "a question whether it is done");
  EXPECT_EQ(refusal_of([&] { rig.stream.wait_for(other); }), expected + "a wait");
  EXPECT_EQ(refusal_of([&] { rig.stream.replay(inner, [] {}); }), expected + "another replay");
  // The stream continues as if nothing had happened.
  EXPECT_EQ(rig.download(rig.from).back(), 1);
}

TEST_F(CudaReplayTest, RunsABodyThatCannotBeCaptured) {
  for (const char* fault :
       {"cuStreamBeginCapture_v2:1=900", "cuStreamEndCapture:1=901", "cuGraphInstantiateWithFlags:1=2"}) {
    set("FAULTS", fault);
    {
      Replayed rig;
      for (int call = 0; call < 4; ++call) {
        rig.upload(std::vector<float>(rig.from.size()));
        rig.replay();
        EXPECT_EQ(rig.result(), 3) << fault;
      }
      EXPECT_EQ(rig.stream.failed_recordings(), 1) << fault;
      EXPECT_EQ(rig.stream.why_no_recording().rfind("expected cu", 0), 0u) << rig.stream.why_no_recording();
      EXPECT_EQ(calls("cuGraphLaunch"), 0) << fault;
    }
    EXPECT_EQ(live(), 0) << fault;
  }
}

TEST_F(CudaReplayTest, RunsABodyThatAllocates) {
  Rig rig;
  std::unique_ptr<Recording> recording;
  for (int call = 0; call < 4; ++call) {
    rig.upload(std::vector<float>(rig.from.size()));
    rig.stream.replay(recording, [&] {
      const Buffer<float> scratch(rig.device.memory(), rig.from.size(), "scratch");
      rig.add(rig.stream, scratch.data(), rig.from.data(), 1);
      rig.add(rig.stream, rig.to.data(), scratch.data(), 1);
    });
    EXPECT_EQ(rig.download(rig.to).back(), 2);
  }
  EXPECT_EQ(rig.stream.failed_recordings(), 1);
}

TEST_F(CudaReplayTest, ReportsTheErrorOfABodyThatFails) {
  Replayed rig;
  rig.upload(std::vector<float>(rig.from.size()));
  rig.replay();
  const auto fail = [&] { rig.stream.replay(rig.recording, [] { throw Failure(Code::not_finite, "NaN"); }); };
  EXPECT_EQ(rig.stream.why_no_recording(), "");
  EXPECT_EQ(failure_of(Code::not_finite, fail), "NaN");
  EXPECT_EQ(rig.stream.failed_recordings(), 1);
  EXPECT_EQ(rig.stream.why_no_recording(), "NaN");
  EXPECT_EQ(rig.result(), 3);
}

TEST_F(CudaReplayTest, IsNotWaitedForDuringItsCapture) {
  Replayed rig;
  rig.upload(std::vector<float>(rig.from.size()));
  rig.replay();
  CudaStream second(rig.device, Priority::low);
  std::atomic<bool> is_captured{false};
  std::thread waiter;
  int runs = 0;
  rig.stream.replay(rig.recording, [&] {
    rig.add(rig.stream, rig.to.data(), rig.to.data(), 4);
    if (++runs == 1) {
      waiter = std::thread([&] {
        second.wait_for(rig.stream);
        EXPECT_TRUE(is_captured);
      });
    }
    // Long enough for the other thread to interfere, if it could.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    is_captured = true;
  });
  waiter.join();
  EXPECT_EQ(rig.stream.failed_recordings(), 0);
  EXPECT_EQ(rig.result(), 7);
}

TEST_F(CudaReplayTest, IsNotDisturbedByAllocationsOfAnotherThread) {
  Replayed rig;
  rig.upload(std::vector<float>(rig.from.size()));
  rig.replay();
  rig.stream.replay(rig.recording, [&] {
    rig.add(rig.stream, rig.to.data(), rig.to.data(), 4);
    std::thread([&] { Buffer<char>(rig.device.memory(), 100, "rows"); }).join();
  });
  EXPECT_EQ(rig.stream.failed_recordings(), 0);
  EXPECT_EQ(rig.result(), 7);
}

}  // namespace
}  // namespace palestra::cuda
