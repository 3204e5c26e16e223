#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "../core/memory.h"

namespace palestra {

/** What a stream was asked in a call of `Stream::replay`, for it to do again at once. */
class Recording {
 public:
  virtual ~Recording() = default;
};

/**
 * A device's memory and the order in which it is asked. Calls are done in order; on a device that works on its own they
 * return before they are done, and only `download` waits. Pointers are on the device unless they say otherwise.
 */
class Stream {
 public:
  virtual ~Stream() = default;

  virtual Memory& memory() = 0;
  /** What is at `host` may change once this has returned. */
  virtual void upload(void* device, const void* host, size_t bytes) = 0;
  virtual void download(void* host, const void* device, size_t bytes) = 0;
  virtual void zero(void* data, size_t bytes) = 0;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;

  /** Whether all that was asked is done: then a `download` does not wait. */
  virtual bool is_done() { return true; }
  /** What is asked from here on waits for what the other stream, of the same device, was asked until now. */
  virtual void wait_for(Stream&) {}
  /**
   * Runs `body`, which only asks for work that is the same each time: the same pointers and sizes. Such a body may be
   * recorded, and the recording played the next time in its place.
   * @param recording null at first, and where nothing is recorded; the caller keeps it, and drops it where pointers or sizes change
   */
  virtual void replay(std::unique_ptr<Recording>&, const std::function<void()>& body) { body(); }
  /** Whether `replay` records: then it is worth a caller's while to ask for the same again. */
  virtual bool records() const { return false; }
  /** Why a recording could not be made, of the first; empty where all could. From any thread. */
  virtual std::string why_no_recording() const { return ""; }
};

}  // namespace palestra
