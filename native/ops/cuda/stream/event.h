#pragma once
#include <memory>

#include "../driver/primary-context.h"

namespace palestra::cuda {

/** A point in the order of a stream for which other streams and threads can wait. */
class Event {
 public:
  explicit Event(std::shared_ptr<const PrimaryContext> context) : context_(std::move(context)) {
    context_->use();
    context_->driver().check(context_->driver().cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  }
  ~Event() {
    if (context_->try_use()) context_->driver().cuEventDestroy_v2(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /** Moves the event behind all work queued in the stream. */
  void record(CUstream stream) {
    context_->driver().check(context_->driver().cuEventRecord(event_, stream), "cuEventRecord");
  }
  /** Blocks this thread until the event. Returns at once if the event was never recorded. */
  void wait() { context_->driver().check(context_->driver().cuEventSynchronize(event_), "cuEventSynchronize"); }
  /** Makes the stream wait for the event. */
  void hold_up(CUstream stream) {
    context_->driver().check(context_->driver().cuStreamWaitEvent(stream, event_, 0), "cuStreamWaitEvent");
  }

 private:
  const std::shared_ptr<const PrimaryContext> context_;
  CUevent event_ = nullptr;
};

}  // namespace palestra::cuda
