#include "thread-pool.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif


namespace palestra {

namespace {

/**
 * Number of spins, which take about 50 microseconds: longer than the gaps between the operations of a layer, but too
 * short to disturb other processes.
 */
constexpr int spins = 4096;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace

/**
 * `unclaimed` is the only state that the threads of an operation share. A thread owns a tile once it has decremented
 * `unclaimed`, and reads the operation only after that. An operation does not end before its claimed tiles are done, so
 * an owner always reads the operation whose tile it claimed. A worker that slept through several operations can claim
 * from the current operation or from none. No generation counter is needed.
 */
struct ThreadPool::State {
  // Function of the operation. The caller writes it while no tile can be claimed, and owners of a tile read it.
  void (*call)(void*, int) = nullptr;
  void* tile = nullptr;
  int tiles = 0;

  alignas(64) std::atomic<int> unclaimed{0};
  alignas(64) std::atomic<int> unfinished{0};

  alignas(64) std::atomic<int> sleeping_workers{0};
  std::atomic<bool> caller_sleeps{false};
  std::atomic<bool> stopping{false};
  std::mutex mutex;
  std::condition_variable work, done;
  std::vector<std::thread> workers;

#if defined(__linux__)
  /** Cores of the thread that made the pool. */
  cpu_set_t allowed;
  /** The core that workers must avoid. -1: none. */
  int callers_core = -1;
#endif

  void keep_off_callers_core();
  bool run_one();
  void drain() {
    while (run_one()) {
    }
  }
  void serve();
  void wait_for_work();
  void wait_until_done();
};

/**
 * Allows workers every core but the caller's. When no core is idle, Linux wakes a thread on the core of its waker, or
 * leaves the thread there. Two threads on one core run at the speed of one until Linux balances the cores, tens of
 * milliseconds later. The function costs one system call per worker, but only when the caller has moved.
 */
void ThreadPool::State::keep_off_callers_core() {
#if defined(__linux__)
  const int core = sched_getcpu();
  if (core == callers_core || core < 0 || core >= CPU_SETSIZE || !CPU_ISSET(core, &allowed)) return;
  cpu_set_t others = allowed;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) < static_cast<int>(workers.size())) return;
  for (std::thread& worker : workers) pthread_setaffinity_np(worker.native_handle(), sizeof others, &others);
  callers_core = core;
#endif
}

/** @returns false when no tile is left to claim */
bool ThreadPool::State::run_one() {
  int left = unclaimed.load(std::memory_order_relaxed);
  do {
    if (left <= 0) return false;
  } while (!unclaimed.compare_exchange_weak(left, left - 1, std::memory_order_acquire, std::memory_order_relaxed));
  call(tile, tiles - left);
  // The decrement is sequentially consistent, as is the caller's step before it sleeps, so at least one of the two
  // threads sees the change of the other.
  if (unfinished.fetch_sub(1) == 1 && caller_sleeps.load()) {
    std::lock_guard<std::mutex> lock(mutex);
    done.notify_one();
  }
  return true;
}

void ThreadPool::State::serve() {
  while (!stopping.load()) {
    drain();
    wait_for_work();
  }
}

void ThreadPool::State::wait_for_work() {
  for (int i = 0; i < spins; ++i) {
    if (unclaimed.load(std::memory_order_relaxed) > 0 || stopping.load(std::memory_order_relaxed)) return;
    pause();
  }
  std::unique_lock<std::mutex> lock(mutex);
  sleeping_workers.fetch_add(1);
  work.wait(lock, [this] { return unclaimed.load() > 0 || stopping.load(); });
  sleeping_workers.fetch_sub(1);
}

/** Waits for the tiles that workers have started. The caller has computed all other tiles. */
void ThreadPool::State::wait_until_done() {
  for (int i = 0; i < spins; ++i) {
    if (unfinished.load(std::memory_order_acquire) == 0) return;
    pause();
  }
  std::unique_lock<std::mutex> lock(mutex);
  caller_sleeps.store(true);
  done.wait(lock, [this] { return unfinished.load() == 0; });
  caller_sleeps.store(false);
}

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  state_->workers.reserve(threads - 1);
#if defined(__linux__)
  CPU_ZERO(&state_->allowed);
  // The call fails on machines with more cores than a set holds. On such machines workers may use every core.
  sched_getaffinity(0, sizeof state_->allowed, &state_->allowed);
#endif
  try {
    for (int i = 1; i < threads; ++i) state_->workers.emplace_back([state = state_.get()] { state->serve(); });
  } catch (const std::system_error&) {
    // The system grants no more threads. Fewer threads do the same work.
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stopping.store(true);
  }
  state_->work.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(int tiles, void (*call)(void*, int), void* tile) {
  State& state = *state_;
  if (tiles <= 1 || state.workers.empty()) {
    for (int i = 0; i < tiles; ++i) call(tile, i);
    return;
  }
  state.keep_off_callers_core();
  state.call = call;
  state.tile = tile;
  state.tiles = tiles;
  state.unfinished.store(tiles, std::memory_order_relaxed);
  state.unclaimed.store(tiles);
  if (state.sleeping_workers.load() > 0) {
    // The lock closes a gap, since a worker between its last check and its sleep would miss the call.
    std::lock_guard<std::mutex> lock(state.mutex);
    state.work.notify_all();
  }
  state.drain();
  state.wait_until_done();
}

}  // namespace palestra
