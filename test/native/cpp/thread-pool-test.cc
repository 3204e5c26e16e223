#include "core/thread-pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

#include "core/failure.h"

namespace palestra {
namespace {

using namespace std::chrono_literals;

TEST(ThreadPool, RunsEachTileOnce) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int tiles : {0, 1, 2, 3, 17, 1000}) {
      std::vector<int> runs(tiles);  // not atomic: a tile that ran twice at once would be a race
      pool.run(tiles, [&runs](int tile) { ++runs[tile]; });
      EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), tiles);
    }
  }
}

/** Operations follow each other at once, so that workers claim late, from the earlier one, or not at all. */
TEST(ThreadPool, NeverMixesOperations) {
  ThreadPool pool(4);
  for (int operation = 0; operation < 20000; ++operation) {
    const int tiles = 1 + operation % 7;
    std::vector<int> results(tiles, -1);
    pool.run(tiles, [&results, operation](int tile) { results[tile] = operation + tile; });
    for (int tile = 0; tile < tiles; ++tile) ASSERT_EQ(results[tile], operation + tile);
  }
}

TEST(ThreadPool, WakesSleepingWorkers) {
  ThreadPool pool(2);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(20ms);
    std::atomic<int> inside{0};
    std::atomic<bool> met{false};
    pool.run(2, [&](int) {
      ++inside;
      const auto deadline = std::chrono::steady_clock::now() + 5s;
      while (inside < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
      if (inside == 2) met = true;
    });
    EXPECT_TRUE(met);
  }
}

#if defined(__linux__)
/** Returns the first two cores of this thread, or fewer if it has fewer. */
std::vector<int> two_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE && cores.size() < 2; ++core)
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  return cores;
}

void move_to(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  ASSERT_EQ(sched_setaffinity(0, sizeof only, &only), 0);
}

TEST(ThreadPool, KeepsWorkersOffTheCallersCore) {
  const std::vector<int> cores = two_cores();
  if (cores.size() < 2) GTEST_SKIP() << "one core: nowhere else to go";
  // A thread of its own, because the restriction to these cores lasts until its end.
  std::thread([&cores] {
    ThreadPool pool(2);
    for (const int core : {cores[0], cores[1], cores[0]}) {
      move_to(core);
      std::atomic<int> inside{0};
      std::atomic<bool> shares_core{true};
      pool.run(2, [&, caller = std::this_thread::get_id()](int) {
        ++inside;
        const auto deadline = std::chrono::steady_clock::now() + 5s;
        while (inside < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
        cpu_set_t mine;
        if (std::this_thread::get_id() == caller || sched_getaffinity(0, sizeof mine, &mine) != 0) return;
        shares_core = CPU_ISSET(core, &mine);
      });
      EXPECT_FALSE(shares_core) << core;
    }
  }).join();
}

TEST(ThreadPool, UsesAllCoresWhenThereAreMoreThreads) {
  const std::vector<int> cores = two_cores();
  std::thread([&cores] {
    move_to(cores[0]);
    ThreadPool pool(2);
    std::atomic<int> inside{0};
    pool.run(2, [&](int) {
      ++inside;
      const auto deadline = std::chrono::steady_clock::now() + 5s;
      while (inside < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    });
    EXPECT_EQ(inside, 2);
  }).join();
}
#endif

TEST(ThreadPool, WaitsForATileThatAWorkerHasStarted) {
  ThreadPool pool(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> worker_began{false}, worker_ended{false};
  pool.run(2, [&](int) {
    if (std::this_thread::get_id() == caller) {
      const auto deadline = std::chrono::steady_clock::now() + 5s;
      while (!worker_began && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    } else {
      worker_began = true;
      std::this_thread::sleep_for(50ms);
      worker_ended = true;
    }
  });
  EXPECT_TRUE(worker_began);
  EXPECT_TRUE(worker_ended);
}

/** More threads than cores, and tiles that yield: workers come late to all operations, and the caller drains them. */
TEST(ThreadPool, MakesProgressWithoutWorkers) {
  ThreadPool pool(32);
  std::atomic<int64_t> sum{0};
  for (int operation = 0; operation < 200; ++operation)
    pool.run(64, [&sum](int tile) {
      if (tile % 16 == 0) std::this_thread::yield();
      sum += tile;
    });
  EXPECT_EQ(sum, 200 * 64 * 63 / 2);
}

TEST(ThreadPool, ClosesWithoutWork) {
  for (int i = 0; i < 50; ++i) ThreadPool pool(1 + i % 4);
}

}  // namespace
}  // namespace palestra
