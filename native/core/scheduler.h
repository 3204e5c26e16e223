#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace palestra {

/** Work that is divided into short jobs, so that training and generation can take turns on one machine. */
class Work {
 public:
  virtual ~Work() = default;
  /** Does one job. @returns whether another job follows. Throws `Failure`, which ends the work. */
  virtual bool advance() = 0;
  /**
   * Whether the next job can run without waiting for the device. The scheduler calls this method often, so it must not
   * block.
   */
  virtual bool ready() noexcept { return true; }
  /** Called once, on the engine's thread, after the last job or when the remaining jobs are dropped. */
  virtual void finish(std::exception_ptr failure) noexcept = 0;
};

enum class Lane { train, generate };

/** Division of the engine's thread between the two lanes. */
struct Shares {
  /** Share of the engine's time when both lanes have work. */
  double train = 1;
  double generate = 1;
  /** Whether jobs are counted instead of time, so that equal submissions give an equal order of jobs. For tests. */
  bool deterministic = false;
};

/**
 * The one native thread of an engine. Each lane runs its works one at a time, in the order of submission. Between two
 * jobs, the lane that is further below its share goes next. The other lane goes first if only its next job can run
 * without a wait for the device, unless the order must be deterministic.
 *
 * All device work of an engine happens on this thread and its thread pool, so models, trainers and generators need no
 * locks.
 */
class Scheduler {
 public:
  explicit Scheduler(Shares shares);
  /** Ends queued work with `Code::closed` and joins the thread. */
  ~Scheduler();

  /**
   * Queues work. May be called from any thread, and from `finish`. Fails with `Code::closed` once the engine's thread
   * has ended.
   */
  void submit(Lane lane, std::shared_ptr<Work> work);
  /**
   * Ends the work with `Code::cancelled` before its next job. Work in its last job is not affected. @returns whether
   * the work was still queued
   */
  bool cancel(const Work* work);
  /** Seconds that the jobs of a lane have taken so far, including the running job. */
  double seconds(Lane lane) const;
  /** Changes the shares and resets the time used so far. */
  void set(Shares shares);

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::shared_ptr<Work> work;
    bool cancelled = false;
  };
  struct Queue {
    /** Queued works. The first entry is running, or next to run. */
    std::deque<Entry> entries;
    double share = 1;
    /** Time used by the lane, divided by its share. The lane with the lower value goes next. */
    double used = 0;
    double seconds = 0;
  };

  void loop();
  /** Returns the queue whose turn it is. Null if no queue has work. */
  Queue* next();
  /** Returns the same queue as `next`, or the other queue when only that one is ready. */
  Queue* next_ready();
  void run_job(Queue& queue, std::unique_lock<std::mutex>& lock);
  /** Finishes the cancelled works, or all works while closing. */
  void end_works(std::unique_lock<std::mutex>& lock);
  void finish(Entry entry, std::exception_ptr failure, std::unique_lock<std::mutex>& lock);
  Queue& queue_of(Lane lane) { return lane == Lane::train ? train_ : generate_; }
  /** Like `used`, including the time of the running job. */
  double used_until_now(const Queue& queue) const;
  double cost_of_job() const;
  double seconds_of_job() const;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Queue train_, generate_;
  bool deterministic_ = false;
  /** The queue whose first work is running a job. */
  const Queue* running_ = nullptr;
  Clock::time_point job_began_;
  int cancelled_ = 0;
  bool closing_ = false;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace palestra
