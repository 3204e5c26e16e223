#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "../../core/scheduler.h"
#include "../../engine.h"
#include "call.h"

namespace palestra {

/** Flag that is set when a handle is closed while its works are still queued. */
using Closed = std::shared_ptr<std::atomic<bool>>;

/** Recipient of the result of a work: a callback, or a waiting thread. Called once. */
class Recipient {
 public:
  Recipient(palestra_done done, void* user) : done_(done), user_(user) {}
  void* user() const { return user_; }
  void tell(Outcome outcome) noexcept;
  /** Waits for the end of the work, if there is no callback. Throws the work's failure. */
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
/** Makes the work of a job, on the engine's thread, where nothing else uses the model. */
using Begin = std::function<std::shared_ptr<Work>(Done)>;

/**
 * Queued work of a handle. The work itself is made when its turn comes. Until then the job owns only copies of its
 * arguments. If its handle is closed or the job is cancelled, the job ends quickly.
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

/** Work of several short parts, in order: `part(i)` for each i below a number. */
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

}  // namespace palestra
