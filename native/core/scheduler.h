#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
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
  /** Whether the next job can be done without waiting for the device. Asked often: it tells at once. */
  virtual bool ready() noexcept { return true; }
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
 * jobs the lane goes on that has had less than its share. Where that one would wait for the device and the other would
 * not, the other goes on, but not where the order is to be deterministic. All device work of an engine happens on this thread and the
 * thread pool that it drives, so that models, trainers and generators need no locks.
 */
class Scheduler {
 public:
  explicit Scheduler(Shares shares);
  /** Ends what is queued with `Code::closed` and joins the thread. */
  ~Scheduler();

  /** From any thread, `finish` included. Fails with `Code::closed` once the engine's thread has ended. */
  void submit(Lane lane, std::shared_ptr<Work> work);
  /**
   * Ends the work with `Code::cancelled` before its next job, which a work in its last job does not have; false where
   * it is not queued any more.
   */
  bool cancel(const Work* work);
  /** Seconds that the jobs of a lane have taken so far, the one under way included. */
  double seconds(Lane lane) const;
  /** From here on. What the lanes have had is forgotten. */
  void set(Shares shares);

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::shared_ptr<Work> work;
    bool cancelled = false;
  };
  struct Queue {
    /** The first one is running, or the next to. */
    std::deque<Entry> entries;
    double share = 1;
    /** What the lane has had, over its share: the lane with the lower one goes on. */
    double used = 0;
    double seconds = 0;
  };

  void loop();
  /** The queue whose turn it is; null where there is no work. */
  Queue* next();
  /** The same, or the other where `next` would wait and the other would not. */
  Queue* next_ready();
  void run_job(Queue& queue, std::unique_lock<std::mutex>& lock);
  /** Finishes the works that were cancelled, or all of them while closing. */
  void end_works(std::unique_lock<std::mutex>& lock);
  void finish(Entry entry, std::exception_ptr failure, std::unique_lock<std::mutex>& lock);
  Queue& queue_of(Lane lane) { return lane == Lane::train ? train_ : generate_; }
  /** What the lane has had with the job that is under way. */
  double used_until_now(const Queue& queue) const;
  double cost_of_job() const;
  double seconds_of_job() const;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Queue train_, generate_;
  bool deterministic_ = false;
  /** The queue whose first work is doing a job. */
  const Queue* running_ = nullptr;
  Clock::time_point job_began_;
  int cancelled_ = 0;
  bool closing_ = false;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace palestra
