#include "core/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/failure.h"

namespace palestra {
namespace {

using namespace std::chrono_literals;

std::string outcome_of(const std::exception_ptr& failure) {
  if (!failure) return "done";
  try {
    std::rethrow_exception(failure);
  } catch (const Failure& f) {
    return f.code() == Code::cancelled ? "cancelled" : f.code() == Code::closed ? "closed" : f.what();
  } catch (const std::exception& e) {
    return e.what();
  }
}

/** A work of several jobs, and a record of their fates. */
class Jobs : public Work {
 public:
  Jobs(int jobs, std::function<void()> job) : left_(jobs), job_(std::move(job)) {}
  bool advance() override {
    job_();
    return --left_ > 0;
  }
  void finish(std::exception_ptr failure) noexcept override {
    ++finishes;
    if (on_finish) on_finish();
    outcome_.set_value(outcome_of(failure));
  }
  std::string outcome() { return outcome_.get_future().get(); }

  std::atomic<int> finishes{0};
  std::function<void()> on_finish;

 private:
  int left_;
  std::function<void()> job_;
  std::promise<std::string> outcome_;
};

/** Jobs that would wait for a device until it is done. */
class Awaiting : public Jobs {
 public:
  using Jobs::Jobs;
  bool ready() noexcept override {
    ++asked;
    return is_done;
  }
  std::atomic<bool> is_done{false};
  std::atomic<int> asked{0};
};

/** Holds the engine's thread until the gate is opened, so that a test can queue works meanwhile. */
class Gate {
 public:
  explicit Gate(Scheduler& scheduler)
      : work_(std::make_shared<Jobs>(1, [this] {
          entered_.set_value();
          opened_.get_future().wait();
        })) {
    scheduler.submit(Lane::train, work_);
    entered_.get_future().wait();
  }
  ~Gate() { work_->outcome(); }
  void open() { opened_.set_value(); }

 private:
  std::promise<void> entered_, opened_;
  std::shared_ptr<Jobs> work_;
};

std::string order_of(Shares shares, int train, int generate) {
  std::string order;
  Scheduler scheduler(shares);
  Gate gate(scheduler);
  const auto first = std::make_shared<Jobs>(train, [&order] { order += 't'; });
  const auto second = std::make_shared<Jobs>(generate, [&order] { order += 'g'; });
  scheduler.submit(Lane::train, first);
  scheduler.submit(Lane::generate, second);
  gate.open();
  EXPECT_EQ(first->outcome(), "done");
  EXPECT_EQ(second->outcome(), "done");
  return order;
}

TEST(Scheduler, SharesByJobsWhenDeterministic) {
  EXPECT_EQ(order_of({1, 1, true}, 4, 4), "gtgtgtgt");
  EXPECT_EQ(order_of({1, 3, true}, 3, 9), "gtgggtgggtgg");
  EXPECT_EQ(order_of({1, 1, true}, 1, 5), "gtgggg");
}

/** Returns the order of `train` jobs that would wait until the generating lane has done `until` jobs. */
std::string order_with_waiting(Shares shares, int train, int generate, int until) {
  std::string order;
  Scheduler scheduler(shares);
  Gate gate(scheduler);
  const auto awaiting = std::make_shared<Awaiting>(train, [&order] { order += 't'; });
  const auto other = std::make_shared<Jobs>(generate, [&] {
    order += 'g';
    if (order.size() == static_cast<size_t>(until)) awaiting->is_done = true;
    std::this_thread::sleep_for(2ms);
  });
  scheduler.submit(Lane::train, awaiting);
  scheduler.submit(Lane::generate, other);
  gate.open();
  EXPECT_EQ(awaiting->outcome(), "done");
  EXPECT_EQ(other->outcome(), "done");
  EXPECT_EQ(awaiting->asked > 0, !shares.deterministic);
  return order;
}

TEST(Scheduler, ALaneThatWouldWaitLetsTheOtherRun) {
  // Once ready, the lane gets all the time that it is owed.
  EXPECT_EQ(order_with_waiting({1000, 1, false}, 2, 7, 4), "ggggttggg");
  EXPECT_EQ(order_with_waiting({1, 1, false}, 1, 3, 100), "gggt") << "alone it goes on and waits";
}

TEST(Scheduler, WaitingDoesNotChangeADeterministicOrder) {
  EXPECT_EQ(order_with_waiting({1, 1, true}, 4, 4, 100), "gtgtgtgt");
}

TEST(Scheduler, WhenBothWouldWaitTheOneWhoseTurnItIsRuns) {
  std::string order;
  Scheduler scheduler({1000, 1, false});
  Gate gate(scheduler);
  const auto train = std::make_shared<Awaiting>(3, [&order] { order += 't'; });
  const auto generate = std::make_shared<Awaiting>(3, [&order] {
    order += 'g';
    std::this_thread::sleep_for(2ms);
  });
  scheduler.submit(Lane::train, train);
  scheduler.submit(Lane::generate, generate);
  gate.open();
  EXPECT_EQ(train->outcome(), "done");
  EXPECT_EQ(generate->outcome(), "done");
  EXPECT_EQ(order, "gtttgg");
}

TEST(Scheduler, SharesByTime) {
  std::atomic<int> trained{0};
  int generated = 0, trained_meanwhile = 0;
  Scheduler scheduler({1, 4, false});
  Gate gate(scheduler);
  const auto train = std::make_shared<Jobs>(1000, [&] {
    std::this_thread::sleep_for(4ms);
    ++trained;
  });
  const auto generate = std::make_shared<Jobs>(160, [&] {
    std::this_thread::sleep_for(1ms);
    if (++generated == 160) trained_meanwhile = trained;
  });
  scheduler.submit(Lane::train, train);
  scheduler.submit(Lane::generate, generate);
  gate.open();
  EXPECT_EQ(generate->outcome(), "done");
  // 160 ms or more of generation are four fifths, and a train job takes 4 ms. Sleeps last longer on a busy machine;
  // equal shares would give 40 jobs.
  EXPECT_GE(trained_meanwhile, 4);
  EXPECT_LE(trained_meanwhile, 32);
  scheduler.cancel(train.get());
}

TEST(Scheduler, AnIdleLaneGainsNoCredit) {
  std::string order;
  Scheduler scheduler({1, 1, true});
  const auto alone = std::make_shared<Jobs>(50, [] {});
  scheduler.submit(Lane::train, alone);
  EXPECT_EQ(alone->outcome(), "done");
  Gate gate(scheduler);
  const auto train = std::make_shared<Jobs>(6, [&order] { order += 't'; });
  const auto generate = std::make_shared<Jobs>(6, [&order] { order += 'g'; });
  scheduler.submit(Lane::train, train);
  scheduler.submit(Lane::generate, generate);
  gate.open();
  EXPECT_EQ(train->outcome(), "done");
  EXPECT_EQ(generate->outcome(), "done");
  EXPECT_EQ(order, "gtgtgtgtgtgt");
}

TEST(Scheduler, ALaneThatStartsDuringALongJobIsNotOwedTheEarlierTime) {
  Scheduler scheduler({1, 1, false});
  Gate gate(scheduler);
  std::this_thread::sleep_for(200ms);
  int generated = 0, generated_before_training = -1;
  const auto train = std::make_shared<Jobs>(1, [&] { generated_before_training = generated; });
  const auto generate = std::make_shared<Jobs>(100, [&] {
    std::this_thread::sleep_for(1ms);
    ++generated;
  });
  scheduler.submit(Lane::train, train);
  scheduler.submit(Lane::generate, generate);
  gate.open();
  EXPECT_EQ(train->outcome(), "done");
  EXPECT_EQ(generate->outcome(), "done");
  EXPECT_LT(generated_before_training, 50);
}

TEST(Scheduler, RunsALaneInTheOrderOfSubmission) {
  std::string order;
  Scheduler scheduler({});
  std::vector<std::shared_ptr<Jobs>> works;
  for (char name = 'a'; name < 'f'; ++name)
    works.push_back(std::make_shared<Jobs>(2, [&order, name] { order += name; }));
  for (const auto& work : works) scheduler.submit(Lane::train, work);
  EXPECT_EQ(works.back()->outcome(), "done");
  EXPECT_EQ(order, "aabbccddee");
}

TEST(Scheduler, CancelsQueuedWork) {
  Scheduler scheduler({});
  Gate gate(scheduler);
  std::atomic<bool> ran{false};
  const auto work = std::make_shared<Jobs>(1, [&ran] { ran = true; });
  const auto next = std::make_shared<Jobs>(1, [] {});
  scheduler.submit(Lane::train, work);
  scheduler.submit(Lane::train, next);
  EXPECT_TRUE(scheduler.cancel(work.get()));
  EXPECT_FALSE(scheduler.cancel(work.get()));
  gate.open();
  EXPECT_EQ(work->outcome(), "cancelled");
  EXPECT_EQ(next->outcome(), "done");
  EXPECT_FALSE(ran);
  EXPECT_EQ(work->finishes, 1);
  EXPECT_FALSE(scheduler.cancel(next.get()));
}

TEST(Scheduler, CancelsBetweenTwoJobs) {
  Scheduler scheduler({});
  std::promise<void> began, go_on;
  std::atomic<int> jobs{0};
  const auto work = std::make_shared<Jobs>(1000, [&] {
    if (++jobs > 1) return;
    began.set_value();
    go_on.get_future().wait();
  });
  scheduler.submit(Lane::generate, work);
  began.get_future().wait();
  EXPECT_TRUE(scheduler.cancel(work.get()));
  go_on.set_value();
  EXPECT_EQ(work->outcome(), "cancelled");
  EXPECT_EQ(jobs, 1);
}

TEST(Scheduler, AWorkInItsLastJobCompletes) {
  Scheduler scheduler({});
  std::promise<void> began, go_on;
  const auto work = std::make_shared<Jobs>(1, [&] {
    began.set_value();
    go_on.get_future().wait();
  });
  scheduler.submit(Lane::train, work);
  began.get_future().wait();
  EXPECT_TRUE(scheduler.cancel(work.get()));
  go_on.set_value();
  EXPECT_EQ(work->outcome(), "done");
  EXPECT_EQ(order_of({1, 1, true}, 2, 2), "gtgt");
}

TEST(Scheduler, FailuresReachFinishOnceAndTheLaneContinues) {
  Scheduler scheduler({});
  const auto failing =
      std::make_shared<Jobs>(3, [] { throw Failure(Code::not_finite, "expected numbers but received NaN"); });
  const auto standard = std::make_shared<Jobs>(3, [] { throw std::runtime_error("of the standard library"); });
  const auto next = std::make_shared<Jobs>(1, [] {});
  for (const auto& work : {failing, standard, next}) scheduler.submit(Lane::train, work);
  EXPECT_EQ(failing->outcome(), "expected numbers but received NaN");
  EXPECT_EQ(standard->outcome(), "of the standard library");
  EXPECT_EQ(next->outcome(), "done");
  EXPECT_EQ(failing->finishes, 1);
}

TEST(Scheduler, ClosingEndsQueuedWork) {
  std::vector<std::shared_ptr<Jobs>> works;
  std::shared_ptr<Jobs> late;
  {
    Scheduler scheduler({});
    Gate gate(scheduler);
    for (int i = 0; i < 4; ++i) {
      works.push_back(std::make_shared<Jobs>(1 << 30, [] {}));
      scheduler.submit(i % 2 ? Lane::train : Lane::generate, works.back());
    }
    late = std::make_shared<Jobs>(1, [] {});
    works[0]->on_finish = [&] { scheduler.submit(Lane::train, late); };
    gate.open();
  }
  for (const auto& work : works) EXPECT_EQ(work->outcome(), "closed");
  EXPECT_EQ(late->outcome(), "closed");
}

TEST(Scheduler, WorksAreFreedAfterTheirEnd) {
  Scheduler scheduler({});
  auto work = std::make_shared<Jobs>(2, [] {});
  const std::weak_ptr<Jobs> trace = work;
  const auto next = std::make_shared<Jobs>(1, [] {});
  scheduler.submit(Lane::train, std::move(work));
  scheduler.submit(Lane::train, next);
  next->outcome();
  EXPECT_TRUE(trace.expired());
}

TEST(Scheduler, TakesWorkFromManyThreads) {
  std::atomic<int> jobs{0}, cancelled{0};
  {
    Scheduler scheduler({2, 1, false});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          const auto work = std::make_shared<Jobs>(3, [&jobs] { ++jobs; });
          scheduler.submit(t % 2 ? Lane::train : Lane::generate, work);
          if (i % 5 == 0) scheduler.cancel(work.get());
          if (i % 50 == 0) scheduler.set({1.0 + i, 1, i % 100 == 0});
          if (work->outcome() == "cancelled") ++cancelled;
          EXPECT_EQ(work->finishes, 1);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_GE(jobs + 3 * cancelled, 3 * 4 * 200);
}

}  // namespace
}  // namespace palestra
