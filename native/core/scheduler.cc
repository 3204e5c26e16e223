#include "scheduler.h"

#include <algorithm>
#include <string>

#include "failure.h"

namespace palestra {

Scheduler::Scheduler(Shares shares) {
  set(shares);
  thread_ = std::thread([this] { loop(); });
}

Scheduler::~Scheduler() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Scheduler::submit(Lane lane, std::shared_ptr<Work> work) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) throw Failure(Code::closed, "expected an open scheduler but received work after it was closed");
  Queue& queue = queue_of(lane);
  const Queue& other = queue_of(lane == Lane::train ? Lane::generate : Lane::train);
  // A lane gets no credit for its idle time. After idle time, its used time equals that of the other lane.
  if (queue.entries.empty()) queue.used = std::max(queue.used, used_until_now(other));
  queue.entries.push_back({std::move(work)});
  wake_.notify_one();
}

bool Scheduler::cancel(const Work* work) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (Queue* queue : {&train_, &generate_}) {
    for (Entry& entry : queue->entries) {
      if (entry.work.get() != work || entry.cancelled) continue;
      entry.cancelled = true;
      ++cancelled_;
      return true;
    }
  }
  return false;
}

void Scheduler::set(Shares shares) {
  std::lock_guard<std::mutex> lock(mutex_);
  train_.share = shares.train;
  generate_.share = shares.generate;
  deterministic_ = shares.deterministic;
  train_.used = generate_.used = 0;
}

double Scheduler::seconds(Lane lane) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const Queue& queue = lane == Lane::train ? train_ : generate_;
  return queue.seconds + (running_ == &queue ? seconds_of_job() : 0);
}

double Scheduler::cost_of_job() const { return deterministic_ ? 1 : seconds_of_job(); }

double Scheduler::seconds_of_job() const {
  return std::chrono::duration<double>(Clock::now() - job_began_).count();
}

double Scheduler::used_until_now(const Queue& queue) const {
  return queue.used + (running_ == &queue ? cost_of_job() / queue.share : 0);
}

Scheduler::Queue* Scheduler::next() {
  if (train_.entries.empty()) return generate_.entries.empty() ? nullptr : &generate_;
  if (generate_.entries.empty()) return &train_;
  return train_.used < generate_.used ? &train_ : &generate_;
}

Scheduler::Queue* Scheduler::next_ready() {
  Queue* const first = next();
  if (!first || deterministic_) return first;
  Queue* const other = first == &train_ ? &generate_ : &train_;
  const auto is_ready = [](const Queue& queue) { return !queue.entries.empty() && queue.entries.front().work->ready(); };
  return is_ready(*first) || !is_ready(*other) ? first : other;
}

void Scheduler::loop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return closing_ || next(); });
    if (closing_ || cancelled_ > 0) end_works(lock);
    if (Queue* queue = next_ready()) {
      if (!closing_) run_job(*queue, lock);
    } else if (closing_) {
      closed_ = true;
      return;
    }
  }
}

void Scheduler::run_job(Queue& queue, std::unique_lock<std::mutex>& lock) {
  Work& work = *queue.entries.front().work;
  running_ = &queue;
  job_began_ = Clock::now();
  lock.unlock();
  bool more = false;
  std::exception_ptr failure;
  try {
    more = work.advance();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  queue.used = used_until_now(queue);
  queue.seconds += seconds_of_job();
  running_ = nullptr;
  if (more) return;
  Entry entry = std::move(queue.entries.front());
  queue.entries.pop_front();
  if (entry.cancelled) --cancelled_;
  finish(std::move(entry), failure, lock);
}

void Scheduler::end_works(std::unique_lock<std::mutex>& lock) {
  for (Queue* queue : {&train_, &generate_}) {
    for (;;) {
      auto& entries = queue->entries;
      const auto ended =
          std::find_if(entries.begin(), entries.end(), [this](const Entry& e) { return closing_ || e.cancelled; });
      if (ended == entries.end()) break;
      Entry entry = std::move(*ended);
      entries.erase(ended);
      if (entry.cancelled) --cancelled_;
      const auto failure = entry.cancelled ? Failure(Code::cancelled, "cancelled by the caller")
                                           : Failure(Code::closed, "closed before the work was done");
      finish(std::move(entry), std::make_exception_ptr(failure), lock);
    }
  }
}

/** The work finishes outside the lock, because a waiter may submit the next work, and destructors may take long. */
void Scheduler::finish(Entry entry, std::exception_ptr failure, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  entry.work->finish(failure);
  entry.work.reset();
  failure = nullptr;
  lock.lock();
}

}  // namespace palestra
