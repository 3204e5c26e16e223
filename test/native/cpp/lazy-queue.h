#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "ops/stream.h"

namespace palestra::test {

/**
 * A device that works asynchronously, as late as possible: queued work runs only when it is waited for. Recordings keep
 * the arguments of the time of recording.
 */
class LazyQueue {
 public:
  void ask(std::function<void()> work) {
    if (tape_) {
      tape_->push_back(std::move(work));
    } else {
      asked_.push_back(std::move(work));
    }
  }
  void finish() { finish_until(done_ + asked_.size()); }
  bool is_done() const { return asked_.empty(); }

  /** Makes later work wait for the work that the other queue has so far. */
  void wait_for(LazyQueue& other) {
    EXPECT_FALSE(tape_) << "a recording that waits for another stream";
    ask([&other, until = other.done_ + other.asked_.size()] { other.finish_until(until); });
  }
  void replay(std::unique_ptr<Recording>& recording, const std::function<void()>& body) {
    if (!recording) {
      auto tape = std::make_unique<Tape>();
      tape_ = &tape->work;
      body();
      tape_ = nullptr;
      recording = std::move(tape);
      ++recorded;
    } else {
      ++replayed;
    }
    for (const auto& work : static_cast<Tape&>(*recording).work) asked_.push_back(work);
  }
  bool is_recording() const { return tape_ != nullptr; }

  int recorded = 0;
  int replayed = 0;

 private:
  struct Tape final : Recording {
    std::vector<std::function<void()>> work;
  };

  void finish_until(size_t until) {
    while (done_ < until) {
      const std::function<void()> work = std::move(asked_.front());
      asked_.pop_front();
      ++done_;
      work();
    }
  }

  std::deque<std::function<void()>> asked_;
  size_t done_ = 0;
  std::vector<std::function<void()>>* tape_ = nullptr;
};

}  // namespace palestra::test
