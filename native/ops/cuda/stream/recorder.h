#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "../../stream.h"
#include "../driver/primary-context.h"

namespace palestra::cuda {

/** A CUDA graph. The graph is empty until the second call, and stays empty if the body could not be captured. */
class CudaRecording final : public Recording {
 public:
  explicit CudaRecording(std::shared_ptr<const PrimaryContext> context) : context_(std::move(context)) {}
  ~CudaRecording() override;

  CUgraphExec graph = nullptr;
  bool refused = false;

 private:
  const std::shared_ptr<const PrimaryContext> context_;
};

/** Makes CUDA graphs of the work queued in a stream. */
class Recorder {
 public:
  Recorder(std::shared_ptr<const PrimaryContext> context, CUstream stream);

  /** Captures the work that the body queues, without running it. @returns null when the driver or the body refuses */
  CUgraphExec record(const std::function<void()>& body);
  /**
   * While the returned lock is held, no stream is being captured. A thread must not wait for a stream during its
   * capture.
   */
  std::unique_lock<std::mutex> hold_off() const { return std::unique_lock<std::mutex>(capturing_); }
  /** Number of failed captures. */
  int64_t failures() const;
  /** Reason of the first failure. Empty when no capture has failed. */
  std::string why_not() const;

 private:
  CUgraphExec capture(const std::function<void()>& body);
  bool succeeds(CUresult result, const char* call);
  void refuse(const std::string& reason);

  const std::shared_ptr<const PrimaryContext> context_;
  const CUstream stream_;
  mutable std::mutex capturing_;
  int64_t failures_ = 0;
  std::string why_not_;
};

}  // namespace palestra::cuda
