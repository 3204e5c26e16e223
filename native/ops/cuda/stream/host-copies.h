#pragma once
#include <deque>
#include <memory>

#include "../driver/primary-context.h"
#include "event.h"

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
 * Copies between main memory and the device, on a stream. Copies go through pinned memory. From other memory the driver
 * would copy by itself and block the caller.
 *
 * Uploads fill the segments of a ring in turn. An event is recorded when the last copy of a segment is queued, and
 * awaited before the segment is filled again.
 */
class HostCopies {
 public:
  static constexpr size_t segment_bytes = size_t{512} << 10;
  static constexpr size_t segments = 8;

  HostCopies(std::shared_ptr<const PrimaryContext> context, CUstream stream);

  /**
   * Copies to the device. The memory at `host` may change once this call returns. Data larger than a segment is copied
   * in pieces.
   */
  void upload(void* device, const void* host, size_t bytes);
  /**
   * Copies from the device, and returns when the data has arrived. The device writes one piece while the host reads the
   * piece before.
   */
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
