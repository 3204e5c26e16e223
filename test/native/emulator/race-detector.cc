#include "race-detector.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace palestra::simt {
namespace {

int warp_of(int thread) { return thread / 32; }

bool has_happened(const Access& access) { return access.tick != 0; }

std::string name(const Index& block) {
  return "(" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " + std::to_string(block.z) + ")";
}

}  // namespace

thread_local RaceDetector* RaceDetector::watching = nullptr;

void RaceDetector::begin_launch(const Kernel& kernel, const void* arguments) {
  watches_ = !std::strstr(kernel.name, "_hopper_");
  kernel_ = &kernel;
  arguments_ = static_cast<const char*>(arguments);
  blocks_.clear();
  of_global_.forget();
}

void RaceDetector::begin_block(Index block, const char* shared, size_t shared_bytes) {
  shared_ = shared;
  shared_bytes_ = shared_bytes;
  of_shared_.forget();
  pass_barrier();
  block_begin_ = clock_;
  blocks_.emplace_back(clock_, block);
}

void RaceDetector::pass_barrier() {
  block_barrier_ = ++clock_;
  std::fill(std::begin(warp_barrier_), std::end(warp_barrier_), clock_);
}

void RaceDetector::pass_warp_barrier(int warp) { warp_barrier_[warp] = ++clock_; }

void RaceDetector::resume(int thread, const char* stack, size_t stack_bytes) {
  thread_ = thread;
  stack_ = stack;
  stack_bytes_ = stack_bytes;
}

void RaceDetector::access(const void* data, size_t bytes, Deed deed, const void* place) {
  if (!watches_ || is_own(data)) return;
  ShadowMemory& shadow = is_shared(data) ? of_shared_ : of_global_;
  const Access now{clock_, static_cast<uint16_t>(thread_), deed, deed == Deed::load_matrix, place};
  if (deed == Deed::read || deed == Deed::load_matrix) {
    shadow.each(data, bytes, [&](Cell& cell, uintptr_t address) { read(cell, now, address); });
  } else {
    shadow.each(data, bytes, [&](Cell& cell, uintptr_t address) { write(cell, now, address); });
  }
}

void RaceDetector::end_copy(const void* to, const void* from, size_t read_bytes, const void* place) {
  if (!watches_) return;
  access(from, read_bytes, Deed::read, place);
  const Access now{clock_, static_cast<uint16_t>(thread_), Deed::write, false, place};
  of_shared_.each(to, 16, [&](Cell& cell, uintptr_t) { cell.write = now; });
}

bool RaceDetector::is_ordered(const Access& before, const Access& now) const {
  if (before.tick < block_begin_) return false;
  if (before.tick < block_barrier_) return true;
  if (warp_of(before.thread) != warp_of(now.thread)) return false;
  if (before.tick < warp_barrier_[warp_of(now.thread)]) return true;
  return before.thread == now.thread && !before.is_by_warp && !now.is_by_warp;
}

void RaceDetector::read(Cell& cell, const Access& now, uintptr_t address) {
  const Access &last = cell.write, &before = cell.read;
  if (before.tick == clock_ && before.thread == thread_ && before.is_by_warp >= now.is_by_warp) return;  // once more
  if (has_happened(last) && (last.deed == Deed::copy || !is_ordered(last, now))) report(last, now, address);
  remember_read(cell, now);
}

void RaceDetector::remember_read(Cell& cell, Access now) const {
  const Access& last = cell.read;
  const bool is_foreign = has_happened(last) && last.tick < block_begin_;
  if (is_foreign) {
    cell.foreign_read = last;
    cell.other_read = {};
  } else if (last.tick >= block_barrier_ && warp_of(last.thread) != warp_of(now.thread)) {
    cell.other_read = last;
  } else if (last.tick >= warp_barrier_[warp_of(now.thread)]) {
    now.is_by_warp = now.is_by_warp || last.is_by_warp || last.thread != now.thread;
  }
  cell.read = now;
}

void RaceDetector::write(Cell& cell, const Access& now, uintptr_t address) {
  const Access& last = cell.write;
  if (has_happened(last) && (last.deed == Deed::copy || !is_ordered(last, now))) report(last, now, address);
  for (const Access* read : {&cell.read, &cell.other_read, &cell.foreign_read}) {
    if (has_happened(*read) && !is_ordered(*read, now)) report(*read, now, address);
  }
  cell = Cell{now, {}, {}, {}};
}

void RaceDetector::report(const Access& before, const Access& now, uintptr_t address) const {
  const auto tell = [&](const Access& access, const char* (*deed)(Deed)) {
    return "thread " + std::to_string(access.thread) + " of block " + name(block_at(access.tick)) + " " +
           deed(access.deed) + " at " + source_of(access.place);
  };
  const auto present = [](Deed deed) {
    return deed == Deed::read          ? "reads it"
           : deed == Deed::write       ? "writes it"
           : deed == Deed::load_matrix ? "loads it with its warp as a matrix"
                                       : "begins to copy to it";
  };
  const auto past = [](Deed deed) {
    return deed == Deed::read          ? "read it"
           : deed == Deed::write       ? "wrote it"
           : deed == Deed::load_matrix ? "loaded it with its warp as a matrix"
                                       : "has begun to copy to it";
  };
  const char* const between = before.tick < block_begin_    ? "nothing orders blocks"
                              : before.deed == Deed::copy ? "the copy may be under way"
                                                            : "there is no barrier between";
  std::fprintf(stderr, "emulated kernel: %s: a race for %s: %s, %s; %s\n", kernel_->name, where(address).c_str(),
               tell(now, present).c_str(), tell(before, past).c_str(), between);
  std::abort();
}

/** Describes a byte: its offset in shared memory, or behind an address that the kernel received. */
std::string RaceDetector::where(uintptr_t address) const {
  if (is_shared(reinterpret_cast<const void*>(address))) {
    return "shared byte " + std::to_string(address - reinterpret_cast<uintptr_t>(shared_));
  }
  uintptr_t nearest = 0;
  size_t at = 0;
  for (size_t i = 0; i + sizeof nearest <= kernel_->argument_bytes; i += sizeof nearest) {
    uintptr_t word;
    std::memcpy(&word, arguments_ + i, sizeof word);
    if (word <= address && word > nearest) nearest = word, at = i;
  }
  char text[96];
  std::snprintf(text, sizeof text, "global byte %#zx, %zu behind the pointer at byte %zu of the arguments", address,
                address - nearest, at);
  return text;
}

Index RaceDetector::block_at(uint32_t tick) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), tick,
                                      [](uint32_t t, const auto& block) { return t < block.first; });
  return std::prev(after)->second;
}

}  // namespace palestra::simt
