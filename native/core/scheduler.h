#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace palestra {

/** Work that is cut into bounded jobs, so that training and generation can take turns on one machine. */
class Work {
 public:
  virtual ~Work() = default;
  /** Does one job. @returns whether there is more. Throws `Failure`; then the work has ended. */
  virtual bool advance() = 0;
  /** Called once, on the engine's thread, after the last job or in place of those that were not reached. */
  virtual void finish(std::exception_ptr failure) noexcept = 0;
};

enum class Lane { train, generate };

/** How the two lanes share the engine's thread. */
struct Shares {
  /** Of the time of the engine, where both lanes have work. */
  double train = 1;
  double generate = 1;
  /** Counts jobs in place of time: the same submissions then give the same order of jobs, as tests want it. */
  bool deterministic = false;
};

/**
 * The one native thread of an engine. Each lane runs its works in the order of submission, one at a time; between two
 * jobs the lane goes on that has had less than its share. All device work of an engine happens on this thread and the
 * thread pool that it drives, so that models, trainers and generators need no locks.
 */
class Scheduler {
 public:
  explicit Scheduler(Shares shares);
  /** Ends what is queued with `Code::closed` and joins the thread. */
  ~Scheduler();

  void submit(Lane lane, std::shared_ptr<Work> work);
  /** Ends the work with `Code::cancelled` before its next job; false where it is not queued any more. */
  bool cancel(const Work* work);
  void set(Shares shares);

 private:
  struct Queue {
    std::deque<std::shared_ptr<Work>> works;
    double used = 0;
  };
  void loop();
  Queue* next();

  std::mutex mutex_;
  std::condition_variable wake_;
  Queue train_, generate_;
  Shares shares_;
  const Work* running_ = nullptr;
  bool cancel_running_ = false;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace palestra
