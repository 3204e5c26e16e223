#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "../stream.h"
#include "primary-context.h"

namespace palestra::cuda {

/** A CUDA graph. Without one until the second call, and for good where the body could not be captured. */
class CudaRecording final : public Recording {
 public:
  explicit CudaRecording(std::shared_ptr<const PrimaryContext> context) : context_(std::move(context)) {}
  ~CudaRecording() override;

  CUgraphExec graph = nullptr;
  bool refused = false;

 private:
  const std::shared_ptr<const PrimaryContext> context_;
};

/** Makes CUDA graphs of what a stream is asked to do. */
class Recorder {
 public:
  Recorder(std::shared_ptr<const PrimaryContext> context, CUstream stream);

  /** What the body asks of the stream, which does not do it. @returns null where the driver or the body refuses */
  CUgraphExec record(const std::function<void()>& body);
  /** A stream whose work is being captured is not one to wait for: as long as this is held, none is. */
  std::unique_lock<std::mutex> hold_off() const { return std::unique_lock<std::mutex>(capturing_); }
  /** How often there was none. */
  int64_t failures() const;
  /** Of the first time; empty where there was none. */
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
