#include "recorder.h"

namespace palestra::cuda {

CudaRecording::~CudaRecording() {
  if (graph && context_->try_use()) context_->driver().cuGraphExecDestroy(graph);
}

Recorder::Recorder(std::shared_ptr<const PrimaryContext> context, CUstream stream)
    : context_(std::move(context)), stream_(stream) {}

CUgraphExec Recorder::record(const std::function<void()>& body) {
  const auto lock = hold_off();
  const CUgraphExec graph = capture(body);
  failures_ += !graph;
  return graph;
}

int64_t Recorder::failures() const {
  const auto lock = hold_off();
  return failures_;
}

std::string Recorder::why_not() const {
  const auto lock = hold_off();
  return why_not_;
}

CUgraphExec Recorder::capture(const std::function<void()>& body) {
  const Driver& driver = context_->driver();
  // Work of other threads during the capture, such as allocations, does not disturb the capture.
  const CUresult begun = driver.cuStreamBeginCapture_v2(stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  if (!succeeds(begun, "cuStreamBeginCapture")) return nullptr;
  bool is_whole = true;
  try {
    body();
  } catch (const std::exception& failure) {
    is_whole = false;
    refuse(failure.what());
  }
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  const bool ended = succeeds(driver.cuStreamEndCapture(stream_, &graph), "cuStreamEndCapture");
  if (ended && is_whole && !succeeds(driver.cuGraphInstantiateWithFlags(&executable, graph, 0), "cuGraphInstantiate")) {
    executable = nullptr;
  }
  if (graph) driver.cuGraphDestroy(graph);
  return executable;
}

bool Recorder::succeeds(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return true;
  refuse(std::string("expected ") + call + " to succeed, but received " + context_->driver().describe(result));
  return false;
}

void Recorder::refuse(const std::string& reason) {
  if (why_not_.empty()) why_not_ = reason;
}

}  // namespace palestra::cuda
