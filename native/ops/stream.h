#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "../core/memory.h"

namespace palestra {

/** The work that one call of `Stream::replay` queued, to be repeated at once. */
class Recording {
 public:
  virtual ~Recording() = default;
};

/**
 * The memory of a device and an ordered queue of calls. A device that works asynchronously returns from calls before
 * the work is done, and only `download` waits. Pointers are on the device unless stated otherwise.
 */
class Stream {
 public:
  virtual ~Stream() = default;

  virtual Memory& memory() = 0;
  /** Copies to the device. The memory at `host` may change once this call returns. */
  virtual void upload(void* device, const void* host, size_t bytes) = 0;
  virtual void download(void* host, const void* device, size_t bytes) = 0;
  virtual void zero(void* data, size_t bytes) = 0;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;

  /** Whether all queued work is done, so that a `download` does not wait. */
  virtual bool is_done() { return true; }
  /** Makes later work of this stream wait for the work that the other stream, of the same device, has queued so far. */
  virtual void wait_for(Stream&) {}
  /**
   * Runs `body`, which queues the same work each time: equal pointers and sizes. The stream may record the work and
   * replay the recording at the next call.
   *
   * @param recording null at first, and while nothing is recorded. The caller keeps the recording, and drops it when
   * pointers or sizes change
   */
  virtual void replay(std::unique_ptr<Recording>&, const std::function<void()>& body) { body(); }
  /** Whether `replay` records, so that callers benefit from queuing equal work. */
  virtual bool records() const { return false; }
  /**
   * Reason why the first failed recording could not be made. Empty when no recording has failed. May be called from any
   * thread.
   */
  virtual std::string why_no_recording() const { return ""; }
};

}  // namespace palestra
