#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "../core/scheduler.h"
#include "../engine.h"
#include "call.h"

namespace palestra {

/** Set when a handle is closed, under its works that are still queued. */
using Closed = std::shared_ptr<std::atomic<bool>>;

/** Whom the end of a work is told: a callback, or a thread that waits here. Told once. */
class Recipient {
 public:
  Recipient(palestra_done done, void* user) : done_(done), user_(user) {}
  void* user() const { return user_; }
  void tell(Outcome outcome) noexcept;
  /** Without a callback: until told. Fails as the work did. */
  void wait();

 private:
  const palestra_done done_;
  void* const user_;
  std::mutex mutex_;
  std::condition_variable told_;
  bool is_told_ = false;
  Outcome outcome_;
};

using Done = std::function<void(std::exception_ptr)>;
/** Makes the work that a job is, on the engine's thread, where nothing else touches the model. */
using Begin = std::function<std::shared_ptr<Work>(Done)>;

/**
 * Queued work of a handle. What it will do is made when its turn has come: until then it owns the copies of its
 * arguments alone, and ends quickly where its handle was closed or it was cancelled.
 */
class Job : public Work {
 public:
  Job(Begin begin, Closed closed, std::shared_ptr<Recipient> recipient)
      : begin_(std::move(begin)), closed_(std::move(closed)), recipient_(std::move(recipient)) {}

  bool advance() override;
  bool ready() noexcept override { return !work_ || work_->ready(); }
  void finish(std::exception_ptr failure) noexcept override;

 private:
  Begin begin_;
  Closed closed_;
  std::shared_ptr<Recipient> recipient_;
  std::shared_ptr<Work> work_;
  std::exception_ptr failure_;
};

/** Work of several short parts, in order: `part(i)` for i below a number. */
class Parts : public Work {
 public:
  Parts(size_t count, std::function<void(size_t)> part, Done done)
      : count_(count), part_(std::move(part)), done_(std::move(done)) {}

  bool advance() override;
  void finish(std::exception_ptr failure) noexcept override;

 private:
  const size_t count_;
  size_t next_ = 0;
  std::function<void(size_t)> part_;
  Done done_;
};

/** Whether the calling thread is an engine's, in a job or a callback: it cannot wait for itself. */
bool on_engine_thread();

/** Marks the calling thread as an engine's while it lives. */
class OnEngineThread {
 public:
  OnEngineThread();
  ~OnEngineThread();
};

}  // namespace palestra
