#pragma once
#include <deque>
#include <memory>

#include "event.h"
#include "primary-context.h"

namespace palestra::cuda {

/** Pinned main memory, which the device can access directly. */
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
 * Copies between main memory and the device, on a stream. They go through pinned memory; from other memory the driver
 * would copy by itself and block the caller.
 *
 * Uploads fill the segments of a ring in turn. An event is recorded when a segment is left, and awaited before the
 * segment is filled again.
 */
class HostCopies {
 public:
  static constexpr size_t segment_bytes = size_t{512} << 10;
  static constexpr size_t segments = 8;

  HostCopies(std::shared_ptr<const PrimaryContext> context, CUstream stream);

  /** The memory at `host` may change once this returns. Data larger than a segment is copied in pieces. */
  void upload(void* device, const void* host, size_t bytes);
  /** Returns when the data has arrived. The device writes one piece while the one before is read. */
  void download(void* host, const void* device, size_t bytes);

 private:
  void next_segment();

  const std::shared_ptr<const PrimaryContext> context_;
  const CUstream stream_;
  PinnedMemory ring_;
  std::deque<Event> left_;  // One per segment.
  size_t segment_ = 0;
  size_t filled_ = 0;  // Bytes used in the segment.
  static constexpr int landings = 2;
  PinnedMemory landing_;
  std::deque<Event> landed_;
};

}  // namespace palestra::cuda
