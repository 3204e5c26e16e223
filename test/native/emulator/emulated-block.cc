#include "emulated-block.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "fiber.h"

namespace palestra::simt {
namespace {

constexpr size_t stack_bytes = size_t{256} << 10;
constexpr size_t shared_alignment = 1024;

size_t whole(size_t bytes) { return (bytes + shared_alignment - 1) / shared_alignment * shared_alignment; }

/** Keeps the stacks for the next block. */
Fiber& fiber(int index) {
  thread_local std::vector<Fiber> all;
  while (static_cast<int>(all.size()) <= index) all.emplace_back(stack_bytes);
  return all[index];
}

/**
 * Keeps its record of the stacks, too. Behind a pointer, because a library that is loaded late has little room for
 * thread-local data.
 */
RaceDetector& detector() {
  thread_local const auto one = std::make_unique<RaceDetector>();
  return *one;
}

}  // namespace

thread_local Block* running = nullptr;

void end_program(const std::string& what) {
  std::fprintf(stderr, "emulated kernel: %s\n", what.c_str());
  std::abort();
}

Block::Block(const Kernel& kernel, Index grid, size_t shared_bytes, const void* arguments)
    : kernel_(kernel), arguments_(arguments), threads_(kernel.threads),
      warps_((kernel.threads + lanes_of_warp - 1) / lanes_of_warp),
      shared_(static_cast<char*>(std::aligned_alloc(shared_alignment, whole(shared_bytes) + shared_alignment))),
      shared_bytes_(shared_bytes), races_(detector()) {
  for (Thread& thread : threads_) thread.here.grid = grid;
  races_.begin_launch(kernel, arguments);
}

Block::~Block() { std::free(shared_); }

void Block::begin(Index index) {
  std::memset(shared_, 0xff, whole(shared_bytes_));
  races_.begin_block(index, shared_, shared_bytes_);
  for (Warp& warp : warps_) warp.given = warp.arrived = 0;
  polls_[barriers_ % 2] = {};
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    Thread& t = threads_[i];
    t.here.thread = {static_cast<unsigned>(i), 0, 0};
    t.here.block = index;
    t.wait = Wait::nothing;
    t.ended = false;
    t.begun.clear();
    t.groups.clear();
    fiber(i).begin([](void* block) { static_cast<Block*>(block)->run_thread(); }, this);
  }
}

void Block::run_thread() { kernel_.body(arguments_); }

void Block::run(Index index, bool reversed) {
  running = this;
  begin(index);
  const int count = static_cast<int>(threads_.size());
  for (bool more = true; more;) {
    bool moved = false;
    more = false;
    for (int n = 0; n < count; ++n) {
      const int i = reversed ? count - 1 - n : n;
      if (threads_[i].ended) continue;
      if (threads_[i].wait == Wait::nothing) {
        advance(i);
        moved = true;
      }
      more = more || !threads_[i].ended;
    }
    for (size_t warp = 0; warp < warps_.size(); ++warp) moved = release_warp(static_cast<int>(warp)) || moved;
    moved = release_block() || moved;
    if (more && !moved) {
      end_program(std::string(kernel_.name) + ": threads of a block wait for each other at different barriers");
    }
  }
  running = nullptr;
}

void Block::advance(int index) {
  thread = &threads_[index];
  thread->wait = Wait::nothing;
  Fiber& own = fiber(index);
  races_.resume(index, own.stack(), stack_bytes);
  RaceDetector::watching = &races_;
  thread->ended = !own.resume();
  RaceDetector::watching = nullptr;
}

bool Block::release_block() {
  int waiting = 0, alive = 0;
  for (const Thread& t : threads_) {
    alive += !t.ended;
    waiting += !t.ended && t.wait == Wait::block;
  }
  if (alive == 0 || waiting < alive) return false;
  const int votes = polls_[barriers_ % 2].votes;
  if (votes != 0 && votes != alive) {
    end_program(std::string(kernel_.name) + ": threads of a block wait for each other in different functions");
  }
  polls_[++barriers_ % 2] = {};
  for (Thread& t : threads_) t.wait = Wait::nothing;
  races_.pass_barrier();
  return true;
}

bool Block::release_warp(int warp) {
  const int first = warp * lanes_of_warp;
  for (int i = first; i < first + lanes_of_warp; ++i) {
    if (i >= static_cast<int>(threads_.size()) || threads_[i].ended || threads_[i].wait != Wait::warp) return false;
  }
  if (warps_[warp].given != 0 || warps_[warp].arrived != 0) {
    end_program(std::string(kernel_.name) + ": lanes of a warp wait for each other in different functions");
  }
  for (int i = first; i < first + lanes_of_warp; ++i) threads_[i].wait = Wait::nothing;
  return true;
}

void Block::wait(Wait what) {
  thread->wait = what;
  Fiber::stop();
}

bool Block::vote(bool vote) {
  Poll& poll = polls_[barriers_ % 2];
  ++poll.votes;
  poll.votes_for += vote;
  wait(Wait::block);
  return poll.votes_for > 0;
}

void Block::wait_for_warp() {
  if (++warp().arrived == lanes_of_warp) {
    warp().arrived = 0;
    races_.pass_warp_barrier(warp_index());
  }
  wait(Wait::warp);
}

}  // namespace palestra::simt
