#pragma once
#include <deque>
#include <memory>

#include "event.h"
#include "primary-context.h"

namespace palestra::cuda {

/** Main memory that the device reads and writes by itself. */
class PinnedMemory {
 public:
  PinnedMemory(std::shared_ptr<const PrimaryContext> context, size_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  char* data() const { return static_cast<char*>(data_); }

 private:
  const std::shared_ptr<const PrimaryContext> context_;
  void* data_ = nullptr;
};

/**
 * Copies of a stream between main memory and the device. They go through pinned memory: from any other the driver would
 * copy by itself, and hold up whoever asks.
 *
 * Uploads fill the segments of a ring one after the other. An event is recorded where a segment is left; before it is
 * filled again it is waited for.
 */
class HostCopies {
 public:
  static constexpr size_t segment_bytes = size_t{512} << 10;
  static constexpr size_t segments = 8;

  HostCopies(std::shared_ptr<const PrimaryContext> context, CUstream stream);

  /** What is at `host` may change once this returns. In pieces where it is larger than a segment. */
  void upload(void* device, const void* host, size_t bytes);
  /** Returns when it is there. The device writes one piece while the one before is read. */
  void download(void* host, const void* device, size_t bytes);

 private:
  void next_segment();

  const std::shared_ptr<const PrimaryContext> context_;
  const CUstream stream_;
  PinnedMemory ring_;
  std::deque<Event> left_;  // One a segment.
  size_t segment_ = 0;
  size_t filled_ = 0;  // Bytes of the segment.
  static constexpr int landings = 2;
  PinnedMemory landing_;
  std::deque<Event> landed_;
};

}  // namespace palestra::cuda
